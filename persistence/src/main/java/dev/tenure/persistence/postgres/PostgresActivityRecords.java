package dev.tenure.persistence.postgres;

import dev.tenure.persistence.activity.ActivityCapabilityError;
import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecord.Verdict;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** Records of keyed calls as rows of {@code activity_record}. */
final class PostgresActivityRecords implements ActivityRecords {
  private final DataSource pool;
  private final Transactions transactions;
  private final Payloads payloads;
  private final StorageCapabilities capabilities;

  PostgresActivityRecords(
      DataSource pool,
      Transactions transactions,
      Payloads payloads,
      StorageCapabilities capabilities) {
    this.pool = pool;
    this.transactions = transactions;
    this.payloads = payloads;
    this.capabilities = capabilities;
  }

  static final String FIND =
      """
      SELECT a.place, r.* FROM unnest(?::text[], ?::bytea[]) WITH ORDINALITY
        AS a (workflow, key, place)
      CROSS JOIN LATERAL (
        SELECT * FROM activity_record s
        WHERE s.workflow_id = a.workflow AND s.call = a.key LIMIT 1) r
      """;

  @Override
  public List<Optional<ActivityRecord>> find(List<ActivityKey> keys) {
    ActivityRecords.requireBatch(keys.size());
    if (keys.isEmpty()) return List.of();
    try (Connection c = pool.getConnection()) {
      return read(c, FIND, keys);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading " + keys.size() + " records of activities", e);
    }
  }

  private List<Optional<ActivityRecord>> read(Connection c, String sql, List<ActivityKey> keys)
      throws SQLException {
    List<Optional<ActivityRecord>> found =
        new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
    try (PreparedStatement query = c.prepareStatement(sql)) {
      query.setArray(
          1, c.createArrayOf("text", keys.stream().map(ActivityWrites::workflow).toArray()));
      query.setArray(
          2,
          c.createArrayOf("bytea", keys.stream().map(ActivityWrites::call).toArray(byte[][]::new)));
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) found.set(rows.getInt("place") - 1, Optional.of(record(rows)));
      }
    }
    return found;
  }

  private ActivityRecord record(ResultSet row) throws SQLException {
    byte[] result = row.getBytes("result");
    byte[] error = row.getBytes("error");
    String verdict = row.getString("verdict");
    return new ActivityRecord(
        new ActivityKey(
            new WorkflowId(KeyText.ofColumn(row.getString("workflow_id"))),
            KeyText.ofColumn(row.getString("operation_id")),
            KeyText.ofColumn(row.getString("activity_name")),
            KeyText.ofColumn(row.getString("idempotency_key"))),
        ActivityStatus.of(row.getString("status")),
        row.getInt("attempt"),
        row.getLong("epoch"),
        InvocationKey.ofBytes(row.getBytes("invocation")),
        Optional.ofNullable(result).map(stored -> StoredValues.payload(stored, payloads)),
        Optional.ofNullable(error).map(StoredValues::failure),
        verdict == null
            ? Optional.empty()
            : Optional.of(
                new Verdict(Verdict.Word.of(verdict), KeyText.ofColumn(row.getString("evidence")))),
        time(row, "created_at"),
        time(row, "updated_at"));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** Locks in the order of the keys, as commits do that update records. */
  static final String LOCK =
      """
      SELECT a.place, r.* FROM (
        SELECT * FROM unnest(?::text[], ?::bytea[]) WITH ORDINALITY AS u (workflow, key, place)
        ORDER BY u.workflow COLLATE "C", u.key) a
      CROSS JOIN LATERAL (
        SELECT * FROM activity_record s
        WHERE s.workflow_id = a.workflow AND s.call = a.key LIMIT 1 FOR NO KEY UPDATE) r
      """;

  /** The rows are locked, so they are where the statement finds them. */
  static final String COMPLETE =
      """
      UPDATE activity_record r SET status = 'completed', result = c.result, verdict = c.verdict,
        evidence = c.evidence, updated_at = clock_timestamp()
      FROM (
        SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::bytea[], ?::bytea[], ?::text[], ?::text[])
          AS a (workflow_id, call, result, verdict, evidence)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM activity_record s
          WHERE s.workflow_id = a.workflow_id AND s.call = a.call LIMIT 1) v) c
      WHERE r.ctid = c.row AND r.tableoid = c.part
      """;

  @Override
  public List<Recorded> complete(List<ActivityEffect> effects) {
    ActivityRecords.requireBatch(effects.size());
    ActivityCapabilityError.require(
        PostgresStorage.class, capabilities.conditionalBatch(), capabilities.reasons());
    if (effects.isEmpty()) return List.of();
    Set<WorkflowId> workflows = new LinkedHashSet<>();
    for (ActivityEffect effect : effects) workflows.add(effect.key().workflow());
    return transactions.run(
        "recording " + effects.size() + " effects of activities",
        c -> {
          DueWorkflows.lock(c, workflows);
          List<SideRow> large = new ArrayList<>();
          List<Recorded> answers = complete(c, effects, large);
          SideRows.withoutCommit(large).write(c);
          Set<WorkflowId> due = new LinkedHashSet<>();
          for (int i = 0; i < answers.size(); i++)
            if (answers.get(i) instanceof Recorded.Stored) due.add(effects.get(i).key().workflow());
          DueWorkflows.makeDue(c, due);
          return answers;
        });
  }

  /**
   * In a transaction that has locked the workflows' rows and makes them due.
   *
   * @param large receives what the caller has to store in {@code payload}, after all else
   */
  List<Recorded> complete(Connection c, List<ActivityEffect> effects, List<SideRow> large)
      throws SQLException {
    if (effects.isEmpty()) return List.of();
    List<ActivityKey> keys = effects.stream().map(ActivityEffect::key).distinct().toList();
    List<Optional<ActivityRecord>> found = read(c, LOCK, keys);
    Map<ActivityKey, ActivityRecord> records = new HashMap<>();
    for (Optional<ActivityRecord> one : found)
      one.ifPresent(record -> records.put(record.key(), record));
    Map<ActivityKey, ActivityEffect> news = new LinkedHashMap<>();
    Map<ActivityKey, ActivityRecord> completed = new LinkedHashMap<>();
    List<Recorded> answers = new ArrayList<>(effects.size());
    for (ActivityEffect effect : effects) {
      Optional<ActivityRecord> before = Optional.ofNullable(records.get(effect.key()));
      Optional<ActivityRecord> after =
          before.flatMap(record -> record.completedBy(effect, record.updatedAt()));
      answers.add(after.isPresent() ? new Recorded.Stored() : new Recorded.Contradicted(before));
      if (after.isEmpty() || after.equals(before)) continue;
      records.put(effect.key(), after.get());
      completed.put(effect.key(), after.get());
      news.put(effect.key(), effect);
    }
    if (!news.isEmpty()) store(c, completed, news, large);
    return answers;
  }

  private static void store(
      Connection c,
      Map<ActivityKey, ActivityRecord> completed,
      Map<ActivityKey, ActivityEffect> effects,
      List<SideRow> large)
      throws SQLException {
    int size = completed.size();
    String[] workflows = new String[size];
    byte[][] calls = new byte[size][];
    byte[][] results = new byte[size][];
    String[] verdicts = new String[size];
    String[] evidence = new String[size];
    int i = 0;
    for (ActivityRecord record : completed.values()) {
      workflows[i] = ActivityWrites.workflow(record.key());
      calls[i] = ActivityWrites.call(record.key());
      Optional<Payload> result = record.result();
      if (result.isPresent()) {
        Apart apart =
            Apart.besideJournal(record.key().workflow(), effects.get(record.key()).shard());
        results[i] = StoredValues.of(result.get(), apart);
        large.addAll(apart.rows());
      }
      verdicts[i] = record.verdict().map(said -> said.word().word()).orElse(null);
      evidence[i] = record.verdict().map(said -> KeyText.column(said.evidence())).orElse(null);
      i++;
    }
    try (PreparedStatement update = c.prepareStatement(COMPLETE)) {
      update.setArray(1, c.createArrayOf("text", workflows));
      update.setArray(2, c.createArrayOf("bytea", calls));
      update.setArray(3, c.createArrayOf("bytea", results));
      update.setArray(4, c.createArrayOf("text", verdicts));
      update.setArray(5, c.createArrayOf("text", evidence));
      update.executeUpdate();
    }
  }

  /** It looks through the records of one workflow: this is for people. */
  static final String OF_OPERATION =
      """
      SELECT r.* FROM activity_record r WHERE r.workflow_id = ? AND r.operation_id = ?
      ORDER BY r.call LIMIT 1
      """;

  @Override
  public Optional<ActivityRecord> ofOperation(WorkflowId workflow, String operation) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(OF_OPERATION)) {
      query.setString(1, KeyText.column(workflow.value()));
      query.setString(2, KeyText.column(operation));
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? Optional.of(record(rows)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the record of " + operation, e);
    }
  }

  /** The records of one workflow are read as a whole and sorted: this is for people. */
  static final String OF =
      """
      SELECT r.* FROM activity_record r WHERE r.workflow_id = ?
      ORDER BY r.created_at DESC, r.operation_id DESC, r.call LIMIT ?
      """;

  @Override
  public List<ActivityRecord> of(WorkflowId workflow, int limit) {
    ActivityRecords.requireBatch(limit);
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(OF)) {
      query.setString(1, KeyText.column(workflow.value()));
      query.setInt(2, limit);
      List<ActivityRecord> found = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) found.add(record(rows));
      }
      return found;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the records of " + workflow, e);
    }
  }
}
