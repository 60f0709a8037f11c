package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.postgres.WorkflowRows.Listed;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Lists by status and type, newest first, out of both tables.
 *
 * <p>The indexes know the order within one status and type only, so each such kind gives a stream
 * of rows, and the streams are merged. A stream gives few rows at first. One that is used up is
 * asked for more, twice as many each time: a page reads little more than it returns, however many
 * kinds there are. All closed workflows together are one stream, which has an index of its own.
 */
final class WorkflowLists {
  /** The rows of one kind, or all closed ones, before a place that moves. */
  private static final class Stream {
    private final boolean open;

    /** Null when it has all closed workflows. */
    private final String status;

    private final String type;
    private Cursor before;
    private int asked;
    private int left;
    private boolean ended;

    private Stream(boolean open, String status, String type, Cursor before) {
      this.open = open;
      this.status = status;
      this.type = type;
      this.before = before;
    }

    private void add(Listed one) {
      left++;
      if (one.cursor().isBefore(before)) before = one.cursor();
    }
  }

  private record Found(Listed listed, Stream stream) {}

  private static final Comparator<Found> NEWEST_FIRST =
      Comparator.comparing((Found found) -> found.listed.row().startedAt())
          .thenComparing(found -> found.listed.number())
          .reversed();

  private final Connection connection;
  private final WorkflowFilter filter;
  private final Cursor before;
  private final int limit;
  private final List<Stream> streams = new ArrayList<>();
  private final PriorityQueue<Found> found = new PriorityQueue<>(NEWEST_FIRST);

  private WorkflowLists(Connection connection, WorkflowFilter filter, Cursor before, int limit) {
    this.connection = connection;
    this.filter = filter;
    this.before = before;
    this.limit = limit;
  }

  /** On a connection with one view of the database: a row is in one stream. */
  static List<Listed> newest(Connection connection, WorkflowFilter filter, Cursor before, int limit)
      throws SQLException {
    WorkflowLists list = new WorkflowLists(connection, filter, before, limit);
    list.open();
    return list.merged();
  }

  private void open() throws SQLException {
    Set<Status> wanted =
        filter.statuses().isEmpty() ? EnumSet.allOf(Status.class) : filter.statuses();
    List<String> closed =
        wanted.stream().filter(Status::isFinal).map(StatusCode::of).sorted().toList();
    // One that has ended and has something left to deliver is open.
    addKinds(true, wanted.stream().map(StatusCode::of).sorted().toList());
    boolean all = closed.size() == EnumSet.range(Status.COMPLETED, Status.TIMED_OUT).size();
    if (all && filter.type().isEmpty()) streams.add(new Stream(false, null, null, before));
    else if (!closed.isEmpty()) addKinds(false, closed);
  }

  /** Jumps from one type to the next, within each status. */
  static final String OPEN_KINDS =
      """
      WITH RECURSIVE kind (status, type) AS (
        SELECT s.status, f.type FROM unnest(?::text[]) AS s (status) CROSS JOIN LATERAL (
          SELECT w.type FROM workflow w WHERE w.status = s.status ORDER BY w.type LIMIT 1) f
        UNION ALL
        SELECT k.status, n.type FROM kind k CROSS JOIN LATERAL (
          SELECT w.type FROM workflow w WHERE w.status = k.status AND w.type > k.type
          ORDER BY w.type LIMIT 1) n
      )
      SELECT k.status, k.type FROM kind k
      """;

  static final String CLOSED_KINDS = OPEN_KINDS.replace(" workflow w ", " workflow_closed w ");

  private void addKinds(boolean open, List<String> statuses) throws SQLException {
    if (filter.type().isPresent()) {
      String type = KeyText.column(filter.type().get());
      for (String status : statuses) streams.add(new Stream(open, status, type, before));
      return;
    }
    try (PreparedStatement query = connection.prepareStatement(open ? OPEN_KINDS : CLOSED_KINDS)) {
      query.setArray(1, connection.createArrayOf("text", statuses.toArray()));
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          streams.add(new Stream(open, rows.getString(1), rows.getString(2), before));
      }
    }
  }

  private List<Listed> merged() throws SQLException {
    List<Listed> page = new ArrayList<>();
    for (Stream stream : streams) stream.asked = Math.min(limit, 2 * limit / streams.size() + 2);
    read(streams);
    while (page.size() < limit) {
      if (streams.stream().anyMatch(stream -> stream.left == 0 && !stream.ended)) readMore();
      Found next = found.poll();
      if (next == null) break;
      page.add(next.listed);
      next.stream.left--;
    }
    return page;
  }

  /** Also those that are nearly used up: they would be next. */
  private void readMore() throws SQLException {
    List<Stream> more = new ArrayList<>();
    for (Stream stream : streams) {
      if (stream.ended || stream.left > stream.asked / 2) continue;
      stream.asked = Math.min(limit, 2 * stream.asked);
      more.add(stream);
    }
    read(more);
  }

  private void read(List<Stream> asked) throws SQLException {
    readKinds(OPEN, asked.stream().filter(stream -> stream.open).toList());
    readKinds(CLOSED, asked.stream().filter(one -> !one.open && one.status != null).toList());
    for (Stream stream : asked) if (stream.status == null) readClosed(stream);
  }

  static final String OPEN =
      "SELECT "
          + WorkflowRows.OF_OPEN
          + """
            , k.place
          FROM unnest(?::text[], ?::text[], ?::timestamptz[], ?::int8[], ?::int4[]) WITH ORDINALITY
            AS k (status, type, before_time, before_number, row_limit, place)
          CROSS JOIN LATERAL (
            SELECT * FROM workflow v
            WHERE v.status = k.status AND v.type = k.type AND v.started_at >= ?::timestamptz
              AND (v.started_at, v.number) < (k.before_time, k.before_number)
            ORDER BY v.started_at DESC, v.number DESC LIMIT k.row_limit) w
          """;

  static final String CLOSED =
      OPEN.replace(WorkflowRows.OF_OPEN, WorkflowRows.OF_CLOSED)
          .replace("FROM workflow v", "FROM workflow_closed v");

  private void readKinds(String sql, List<Stream> kinds) throws SQLException {
    if (kinds.isEmpty()) return;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setArray(
          1, connection.createArrayOf("text", kinds.stream().map(one -> one.status).toArray()));
      query.setArray(
          2, connection.createArrayOf("text", kinds.stream().map(one -> one.type).toArray()));
      query.setArray(
          3,
          connection.createArrayOf(
              "timestamptz",
              kinds.stream()
                  .map(one -> StoredInstant.parameter(one.before.startedAt()).toString())
                  .toArray()));
      query.setObject(4, kinds.stream().mapToLong(one -> one.before.number()).toArray());
      query.setObject(5, kinds.stream().mapToInt(one -> one.asked).toArray());
      query.setObject(6, StoredInstant.parameter(filter.startedFrom().orElse(StoredTime.EARLIEST)));
      int[] counts = new int[kinds.size()];
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          int place = rows.getInt(13) - 1;
          counts[place]++;
          add(WorkflowRows.listed(rows), kinds.get(place));
        }
      }
      for (int i = 0; i < counts.length; i++) kinds.get(i).ended = counts[i] < kinds.get(i).asked;
    }
  }

  private void add(Listed listed, Stream stream) {
    found.add(new Found(listed, stream));
    stream.add(listed);
  }

  /** The condition on the shard is that of the index, and true of every row. */
  static final String NEWEST_CLOSED =
      "SELECT "
          + WorkflowRows.OF_CLOSED
          + """
          FROM workflow_closed w
          WHERE w.shard >= 0 AND w.started_at >= ?::timestamptz AND (w.started_at, w.number) < (?::timestamptz, ?)
          ORDER BY w.started_at DESC, w.number DESC LIMIT ?
          """;

  private void readClosed(Stream stream) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(NEWEST_CLOSED)) {
      query.setObject(1, StoredInstant.parameter(filter.startedFrom().orElse(StoredTime.EARLIEST)));
      query.setObject(2, StoredInstant.parameter(stream.before.startedAt()));
      query.setLong(3, stream.before.number());
      query.setInt(4, stream.asked);
      List<Listed> rows = WorkflowRows.listed(query);
      for (Listed row : rows) add(row, stream);
      stream.ended = rows.size() < stream.asked;
    }
  }
}
