package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
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
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Lists of the table {@code workflow}; each statement by the index that was made for it. */
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

  static final String FIND =
      """
      SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
        w.closed_at, w.parent, w.attributes, w.number
      FROM workflow w WHERE w.id = ?
      """;

  @Override
  public Optional<WorkflowRow> find(WorkflowId id) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(FIND)) {
      query.setString(1, KeyText.column(id.value()));
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? Optional.of(row(rows)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading a workflow's row", e);
    }
  }

  /**
   * The index knows order within one status and type only. The pairs that exist are few: they are
   * found by jumping from one to the next, each gives its newest rows, and these are merged.
   */
  static final String LIST =
      """
      WITH RECURSIVE kind (status, type) AS (
        (SELECT w.status, w.type FROM workflow w ORDER BY w.status, w.type LIMIT 1)
        UNION ALL
        SELECT n.status, n.type FROM kind k CROSS JOIN LATERAL (
          SELECT w.status, w.type FROM workflow w
          WHERE (w.status, w.type) > (k.status, k.type)
          ORDER BY w.status, w.type LIMIT 1) n
      ), wish AS (
        SELECT ?::text[] AS statuses, ?::text AS type, ?::timestamptz AS started_from,
          ?::timestamptz AS before_time, ?::int8 AS before_number
      )
      SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
        w.closed_at, w.parent, w.attributes, w.number
      FROM wish CROSS JOIN kind k CROSS JOIN LATERAL (
        SELECT * FROM workflow v
        WHERE v.status = k.status AND v.type = k.type
          AND v.started_at >= wish.started_from
          AND (v.started_at, v.number) < (wish.before_time, wish.before_number)
        ORDER BY v.started_at DESC, v.number DESC LIMIT ?) w
      WHERE k.status = ANY (wish.statuses) AND (wish.type IS NULL OR k.type = wish.type)
      ORDER BY w.started_at DESC, w.number DESC LIMIT ?
      """;

  static final String LIST_CHILDREN =
      """
      SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
        w.closed_at, w.parent, w.attributes, w.number
      FROM workflow w
      WHERE w.parent = ? AND w.attributes @> ?::jsonb
        AND w.status = ANY (?::text[]) AND w.type = coalesce(?, w.type)
        AND w.started_at >= ?::timestamptz AND (w.started_at, w.number) < (?::timestamptz, ?)
      ORDER BY w.started_at DESC, w.number DESC LIMIT ?
      """;

  /** Finds all that match before it sorts them: narrow attributes are what makes it fast. */
  static final String LIST_BY_ATTRIBUTES =
      """
      SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
        w.closed_at, w.parent, w.attributes, w.number
      FROM workflow w
      WHERE w.attributes @> ?::jsonb AND w.attributes <> '{}'
        AND w.status = ANY (?::text[]) AND w.type = coalesce(?, w.type)
        AND w.started_at >= ?::timestamptz AND (w.started_at, w.number) < (?::timestamptz, ?)
      ORDER BY w.started_at DESC, w.number DESC LIMIT ?
      """;

  @Override
  public Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page) {
    Cursor before = Cursor.of(page).before(filter.startedBefore());
    // One more than asked for tells whether a page follows.
    int limit = page.rows() + 1;
    List<Listed> found =
        filter.attributes().isEmpty() && filter.parent().isEmpty()
            ? listByKinds(filter, before, limit)
            : search(filter, before, limit);
    return Page.of(found, page, Listed::row, last -> last.cursor().written());
  }

  private record Listed(WorkflowRow row, long number) {
    Cursor cursor() {
      return new Cursor(row.startedAt(), number);
    }
  }

  private List<Listed> listByKinds(WorkflowFilter filter, Cursor before, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(LIST)) {
      int next = bindKindAndTime(c, query, 1, filter, before);
      query.setInt(next, limit);
      query.setInt(next + 1, limit);
      return rows(query);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("listing workflows", e);
    }
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
            return rows(query);
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
    int next = 1;
    if (filter.parent().isPresent()) {
      query.setString(next++, KeyText.column(filter.parent().get().value()));
    }
    query.setString(next++, AttributesJson.of(filter.attributes()));
    return bindKindAndTime(c, query, next, filter, before);
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

  static final String COUNT =
      """
      SELECT count(*) FROM (
        SELECT 1 FROM workflow w
        WHERE (?::text IS NULL OR w.parent = ?)
          AND (?::jsonb = '{}' OR (w.attributes @> ?::jsonb AND w.attributes <> '{}'))
          AND w.status = ANY (?::text[]) AND (?::text IS NULL OR w.type = ?)
          AND w.started_at >= ?::timestamptz AND w.started_at < ?::timestamptz
        LIMIT ?) counted
      """;

  @Override
  public long count(WorkflowFilter filter, int cap) {
    Workflows.requireValidCap(cap);
    return transactions.run(
        "counting workflows",
        c -> {
          planForTheseValues(c);
          try (PreparedStatement query = c.prepareStatement(COUNT)) {
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

  static final String ESTIMATED =
      """
      EXPLAIN (FORMAT JSON) SELECT 1 FROM workflow w
      WHERE (?::text IS NULL OR w.parent = ?)
        AND (?::jsonb = '{}' OR (w.attributes @> ?::jsonb AND w.attributes <> '{}'))
        AND w.status = ANY (?::text[]) AND (?::text IS NULL OR w.type = ?)
        AND w.started_at >= ?::timestamptz AND w.started_at < ?::timestamptz
      """;

  /** What the planner expects: as good as the table's statistics. */
  @Override
  public long estimate(WorkflowFilter filter) {
    return transactions.run(
        "estimating workflows",
        c -> {
          planForTheseValues(c);
          try (PreparedStatement query = c.prepareStatement(ESTIMATED)) {
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
    String parent = filter.parent().map(id -> KeyText.column(id.value())).orElse(null);
    query.setString(1, parent);
    query.setString(2, parent);
    query.setString(3, AttributesJson.of(filter.attributes()));
    query.setString(4, AttributesJson.of(filter.attributes()));
    Set<Status> statuses =
        filter.statuses().isEmpty() ? Set.of(Status.values()) : filter.statuses();
    query.setArray(5, c.createArrayOf("text", statuses.stream().map(StatusCode::of).toArray()));
    query.setString(6, filter.type().map(KeyText::column).orElse(null));
    query.setString(7, filter.type().map(KeyText::column).orElse(null));
    query.setObject(8, StoredInstant.parameter(filter.startedFrom().orElse(StoredTime.EARLIEST)));
    query.setObject(9, StoredInstant.parameter(filter.startedBefore().orElse(StoredTime.LATEST)));
    return 10;
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

  private static List<Listed> rows(PreparedStatement query) throws SQLException {
    List<Listed> found = new ArrayList<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) found.add(new Listed(row(rows), rows.getLong(12)));
    }
    return found;
  }

  private static WorkflowRow row(ResultSet rows) throws SQLException {
    return new WorkflowRow(
        new WorkflowId(KeyText.ofColumn(rows.getString(1))),
        rows.getInt(2),
        KeyText.ofColumn(rows.getString(3)),
        new WorkflowType(KeyText.ofColumn(rows.getString(4)), rows.getInt(5)),
        StatusCode.parse(rows.getString(6)),
        StoredInstant.ofNullable(rows, 7),
        StoredInstant.of(rows, 8),
        StoredInstant.ofNullable(rows, 9),
        Optional.ofNullable(rows.getString(10)).map(KeyText::ofColumn).map(WorkflowId::new),
        AttributesJson.parse(rows.getString(11)));
  }
}
