package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.postgres.WorkflowRows.Listed;
import dev.tenure.persistence.visibility.BlockedType;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.RunCount;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Lists of the tables {@code workflow} and {@code workflow_closed}; each statement by the index
 * that was made for it.
 */
final class PostgresWorkflows implements Workflows {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(2);
  private static final Duration LIST_LIMIT = Duration.ofSeconds(10);
  private static final Pattern ESTIMATE = Pattern.compile("\"Plan Rows\": (\\d+)");

  private final DataSource pool;
  private final Transactions transactions;
  private final DueScans due;

  PostgresWorkflows(DataSource pool, DueScans due) {
    this.pool = pool;
    this.due = due;
    this.transactions = new Transactions(pool, LOCK_LIMIT, LIST_LIMIT);
  }

  static final String FIND_OPEN =
      "SELECT " + WorkflowRows.OF_OPEN + "FROM workflow w WHERE w.id = ?\n";

  /**
   * In each part of the closed ones it is a look-up in an index. The open ones are looked at a
   * second time, because the row may have come back since.
   */
  static final String FIND =
      "SELECT "
          + WorkflowRows.OF_OPEN
          + "FROM workflow w WHERE w.id = ?\nUNION ALL\n(SELECT "
          + WorkflowRows.OF_CLOSED
          + "FROM workflow_closed w WHERE w.id = ?\n"
          + "ORDER BY w.closed_at + interval '0' DESC LIMIT 1)\n"
          + "LIMIT 1\n";

  @Override
  public Optional<WorkflowRow> find(WorkflowId id) {
    String column = KeyText.column(id.value());
    try (Connection c = pool.getConnection()) {
      Optional<WorkflowRow> open = find(c, FIND_OPEN, column);
      return open.isPresent() ? open : find(c, FIND, column, column);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading a workflow's row", e);
    }
  }

  private static Optional<WorkflowRow> find(Connection c, String sql, String... ids)
      throws SQLException {
    try (PreparedStatement query = c.prepareStatement(sql)) {
      for (int i = 0; i < ids.length; i++) query.setString(i + 1, ids[i]);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? Optional.of(WorkflowRows.row(rows)) : Optional.empty();
      }
    }
  }

  private static final String MATCHING =
      """
        AND w.status = ANY (?::text[]) AND w.type = coalesce(?, w.type)
        AND w.started_at >= ?::timestamptz AND (w.started_at, w.number) < (?::timestamptz, ?)
      ORDER BY w.started_at DESC, w.number DESC LIMIT ?
      """;

  /** Open ones are searched in the table that has their attributes. */
  private static final String HAVING_ATTRIBUTES =
      """
      FROM (
        SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
          NULL::timestamptz AS closed_at, w.parent, s.attributes, w.number
        FROM workflow_search s CROSS JOIN LATERAL (
          SELECT * FROM workflow v WHERE v.id = s.id LIMIT 1) w
        WHERE s.attributes @> ?::jsonb
        UNION ALL
        SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, NULL, w.started_at,
          w.closed_at, w.parent, w.attributes, w.number
        FROM workflow_closed w
        WHERE w.attributes @> ?::jsonb AND w.attributes <> '{}') w
      """;

  private static final String COLUMNS =
      """
      SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
        w.closed_at, w.parent, w.attributes, w.number
      """;

  static final String LIST_CHILDREN =
      COLUMNS + "FROM workflow_all w\nWHERE w.parent = ? AND w.attributes @> ?::jsonb\n" + MATCHING;

  /** Finds all that match before it sorts them: narrow attributes are what makes it fast. */
  static final String LIST_BY_ATTRIBUTES = COLUMNS + HAVING_ATTRIBUTES + "WHERE true\n" + MATCHING;

  @Override
  public Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page) {
    Cursor before = Cursor.of(page).before(filter.startedBefore());
    // One more than asked for tells whether a page follows.
    int limit = page.rows() + 1;
    List<Listed> found =
        filter.attributes().isEmpty() && filter.parent().isEmpty()
            ? transactions.inOneView(
                "listing workflows", c -> WorkflowLists.newest(c, filter, before, limit))
            : search(filter, before, limit);
    return Page.of(found, page, Listed::row, last -> last.cursor().written());
  }

  private List<Listed> search(WorkflowFilter filter, Cursor before, int limit) {
    return transactions.run(
        "searching workflows",
        c -> {
          planForTheseValues(c);
          String sql = filter.parent().isPresent() ? LIST_CHILDREN : LIST_BY_ATTRIBUTES;
          try (PreparedStatement query = c.prepareStatement(sql)) {
            int next = bindSearch(c, query, filter, before);
            query.setInt(next, limit);
            return WorkflowRows.listed(query);
          }
        });
  }

  /**
   * The sessions of the engine plan once, and never by bitmap, the only way to read the index of
   * attributes. What depends on the values asked for is planned for them.
   */
  private static void planForTheseValues(Connection c) throws SQLException {
    try (Statement set = c.createStatement()) {
      set.execute(SEARCH_SESSION);
    }
  }

  static final String SEARCH_SESSION =
      """
      SET LOCAL plan_cache_mode = force_custom_plan;
      SET LOCAL enable_bitmapscan = on
      """;

  private static int bindSearch(
      Connection c, PreparedStatement query, WorkflowFilter filter, Cursor before)
      throws SQLException {
    String attributes = AttributesJson.of(filter.attributes());
    // Of children of one parent by the parent; of all others in either table.
    query.setString(
        1, filter.parent().map(parent -> KeyText.column(parent.value())).orElse(attributes));
    query.setString(2, attributes);
    return bindKindAndTime(c, query, 3, filter, before);
  }

  private static int bindKindAndTime(
      Connection c, PreparedStatement query, int first, WorkflowFilter filter, Cursor before)
      throws SQLException {
    Set<Status> statuses =
        filter.statuses().isEmpty() ? Set.of(Status.values()) : filter.statuses();
    query.setArray(
        first, c.createArrayOf("text", statuses.stream().map(StatusCode::of).sorted().toArray()));
    query.setString(first + 1, filter.type().map(KeyText::column).orElse(null));
    query.setObject(
        first + 2, StoredInstant.parameter(filter.startedFrom().orElse(StoredTime.EARLIEST)));
    query.setObject(first + 3, StoredInstant.parameter(before.startedAt()));
    query.setLong(first + 4, before.number());
    return first + 5;
  }

  private static final String COUNTED =
      """
      WHERE (?::text IS NULL OR w.parent = ?)
        AND w.status = ANY (?::text[]) AND (?::text IS NULL OR w.type = ?)
        AND w.started_at >= ?::timestamptz AND w.started_at < ?::timestamptz
      """;

  static final String COUNT =
      "SELECT count(*) FROM (SELECT 1 FROM workflow_all w\n" + COUNTED + "LIMIT ?) counted\n";

  static final String COUNT_BY_ATTRIBUTES =
      "SELECT count(*) FROM (SELECT 1\n" + HAVING_ATTRIBUTES + COUNTED + "LIMIT ?) counted\n";

  @Override
  public long count(WorkflowFilter filter, int cap) {
    Workflows.requireValidCap(cap);
    return transactions.run(
        "counting workflows",
        c -> {
          planForTheseValues(c);
          String sql = filter.attributes().isEmpty() ? COUNT : COUNT_BY_ATTRIBUTES;
          try (PreparedStatement query = c.prepareStatement(sql)) {
            query.setLong(bindCount(c, query, filter), cap + 1L);
            try (ResultSet row = query.executeQuery()) {
              row.next();
              return row.getLong(1);
            }
          }
        });
  }

  @Override
  public List<RunCount> openRuns() {
    return transactions.run("counting open workflows", OpenRuns::count);
  }

  @Override
  public List<BlockedType> blockedTypes() {
    return transactions.run("looking for types of blocked workflows", OpenRuns::blockedTypes);
  }

  static final String ESTIMATED = "EXPLAIN (FORMAT JSON) SELECT 1 FROM workflow_all w\n" + COUNTED;

  static final String ESTIMATED_BY_ATTRIBUTES =
      "EXPLAIN (FORMAT JSON) SELECT 1\n" + HAVING_ATTRIBUTES + COUNTED;

  /** What the planner expects: as good as the table's statistics. */
  @Override
  public long estimate(WorkflowFilter filter) {
    return transactions.run(
        "estimating workflows",
        c -> {
          planForTheseValues(c);
          String sql = filter.attributes().isEmpty() ? ESTIMATED : ESTIMATED_BY_ATTRIBUTES;
          try (PreparedStatement query = c.prepareStatement(sql)) {
            bindCount(c, query, filter);
            try (ResultSet row = query.executeQuery()) {
              row.next();
              Matcher expected = ESTIMATE.matcher(row.getString(1));
              if (!expected.find()) throw new IllegalStateException("a plan without its rows");
              return Long.parseLong(expected.group(1));
            }
          }
        });
  }

  private static int bindCount(Connection c, PreparedStatement query, WorkflowFilter filter)
      throws SQLException {
    int next = 1;
    if (!filter.attributes().isEmpty())
      while (next <= 2) query.setString(next++, AttributesJson.of(filter.attributes()));
    String parent = filter.parent().map(id -> KeyText.column(id.value())).orElse(null);
    query.setString(next++, parent);
    query.setString(next++, parent);
    Set<Status> statuses =
        filter.statuses().isEmpty() ? Set.of(Status.values()) : filter.statuses();
    query.setArray(
        next++, c.createArrayOf("text", statuses.stream().map(StatusCode::of).toArray()));
    query.setString(next++, filter.type().map(KeyText::column).orElse(null));
    query.setString(next++, filter.type().map(KeyText::column).orElse(null));
    query.setObject(
        next++, StoredInstant.parameter(filter.startedFrom().orElse(StoredTime.EARLIEST)));
    query.setObject(
        next++, StoredInstant.parameter(filter.startedBefore().orElse(StoredTime.LATEST)));
    return next;
  }

  @Override
  public List<WakeUp> mustBeAwake(Set<Integer> shards, WakeUp.Point after, int limit) {
    Workflows.requireValid(limit);
    return due.mustBeAwake(shards, after, limit);
  }

  @Override
  public List<WakeUp> firstDue(Set<Integer> shards) {
    return due.first(shards);
  }

  @Override
  public List<WakeUp> due(Set<Integer> shards, WakeUp.Point after, Instant until, int limit) {
    Workflows.requireValid(limit);
    return due.until(shards, after, until, limit);
  }

  /** Called by the role that may change no table: the function may, and no more than that. */
  static final String MAKE_MONTHS = "SELECT make_closed_months(0, ?)";

  @Override
  public int makeMonthsAhead() {
    return transactions.run(
        "making the parts for workflows that close in the next months",
        c -> {
          try (PreparedStatement make = c.prepareStatement(MAKE_MONTHS)) {
            make.setInt(1, MONTHS_AHEAD);
            try (ResultSet row = make.executeQuery()) {
              row.next();
              return row.getInt(1);
            }
          }
        });
  }
}
