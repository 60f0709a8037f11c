package dev.tenure.persistence.postgres;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.visibility.StoredTime;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The changes of {@code activity_record} in a commit. */
final class ActivityWrites {
  /**
   * One statement locks all records that the transaction updates, in the order of their keys. The
   * transactions that store effects lock the same records in the same order; with another order two
   * transactions could wait for each other.
   */
  static final SideStatement LOCK =
      new SideStatement(
          "activity-lock",
          SideStatement.WriteOrder.LOCK_RECORDS,
          """
          SELECT count(*) FROM (
            SELECT * FROM unnest(?::text[], ?::bytea[]) AS u (workflow_id, call)
            ORDER BY u.workflow_id COLLATE "C", u.call) a
          CROSS JOIN LATERAL (
            SELECT 1 FROM activity_record r
            WHERE r.workflow_id = a.workflow_id AND r.call = a.call LIMIT 1
            FOR NO KEY UPDATE) locked
          """,
          List.of("text", "bytea"),
          Optional.of(
              """
              SELECT 1 FROM activity_record WHERE workflow_id = ? AND call = ? FOR NO KEY UPDATE
              """));

  /** A record that is there is left alone: who made it has the claim. */
  static final SideStatement CLAIM =
      new SideStatement(
          "activity-claim",
          SideStatement.WriteOrder.CHANGE_RECORDS,
          """
          INSERT INTO activity_record (workflow_id, call, operation_id, activity_name,
            idempotency_key, status, shard, attempt, epoch, invocation, created_at, updated_at)
          SELECT c.workflow_id, c.call, c.operation_id, c.activity_name, c.idempotency_key,
            'started', c.shard, c.attempt, c.epoch, c.invocation, c.at, c.at
          FROM unnest(?::text[], ?::bytea[], ?::text[], ?::text[], ?::text[], ?::int4[], ?::int4[],
            ?::int8[], ?::bytea[], ?::timestamptz[]) AS c (workflow_id, call, operation_id,
            activity_name, idempotency_key, shard, attempt, epoch, invocation, at)
          ON CONFLICT (workflow_id, call) DO NOTHING
          """,
          List.of(
              "text",
              "bytea",
              "text",
              "text",
              "text",
              "int4",
              "int4",
              "int8",
              "bytea",
              "timestamptz"),
          Optional.of(
              """
              INSERT INTO activity_record (workflow_id, call, operation_id, activity_name,
                idempotency_key, status, shard, attempt, epoch, invocation, created_at, updated_at)
              SELECT c.workflow_id, c.call, c.operation_id, c.activity_name, c.idempotency_key,
                'started', c.shard, c.attempt, c.epoch, c.invocation, c.at, c.at
              FROM (SELECT ?::text AS workflow_id, ?::bytea AS call, ?::text AS operation_id,
                ?::text AS activity_name, ?::text AS idempotency_key, ?::int4 AS shard,
                ?::int4 AS attempt, ?::int8 AS epoch, ?::bytea AS invocation,
                ?::timestamptz AS at) c
              ON CONFLICT (workflow_id, call) DO NOTHING
              """));

  /**
   * How calls came out. A result that is on record is the proof of what was done, so no other takes
   * its place. It comes before {@link #CLAIM_AGAIN}, because one commit can have the end of an
   * attempt and the claim of the next one. The rows are locked, so they are where the statement
   * finds them.
   */
  static final SideStatement SETTLE =
      new SideStatement(
          "activity-settle",
          SideStatement.WriteOrder.SETTLE_RECORDS,
          """
          UPDATE activity_record r SET status = c.status, updated_at = c.at,
            result = CASE WHEN c.status = 'completed' THEN c.result ELSE r.result END,
            error = coalesce(c.error, r.error)
          FROM (
            SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::bytea[], ?::text[], ?::bytea[], ?::bytea[],
              ?::timestamptz[]) AS a (workflow_id, call, status, result, error, at)
            CROSS JOIN LATERAL (
              SELECT s.tableoid AS part, s.ctid AS row FROM activity_record s
              WHERE s.workflow_id = a.workflow_id AND s.call = a.call
                AND (s.status NOT IN ('completed', 'cancelled')
                  OR a.status = 'completed' AND s.result IS NULL)
              LIMIT 1) v) c
          WHERE r.ctid = c.row AND r.tableoid = c.part
          """,
          List.of("text", "bytea", "text", "bytea", "bytea", "timestamptz"),
          Optional.of(
              """
              UPDATE activity_record r SET status = c.status, updated_at = c.at,
                result = CASE WHEN c.status = 'completed' THEN c.result ELSE r.result END,
                error = coalesce(c.error, r.error)
              FROM (SELECT ?::text AS workflow_id, ?::bytea AS call, ?::text AS status,
                ?::bytea AS result, ?::bytea AS error, ?::timestamptz AS at) c
              WHERE r.workflow_id = c.workflow_id AND r.call = c.call
                AND (r.status NOT IN ('completed', 'cancelled')
                  OR c.status = 'completed' AND r.result IS NULL)
              """));

  /** Another attempt, or another tenure. */
  static final SideStatement CLAIM_AGAIN =
      new SideStatement(
          "activity-claim-again",
          SideStatement.WriteOrder.CHANGE_RECORDS,
          """
          UPDATE activity_record r SET status = 'started', attempt = c.attempt, epoch = c.epoch,
            updated_at = c.at
          FROM (
            SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::bytea[], ?::int4[], ?::int8[],
              ?::timestamptz[]) AS a (workflow_id, call, attempt, epoch, at)
            CROSS JOIN LATERAL (
              SELECT s.tableoid AS part, s.ctid AS row FROM activity_record s
              WHERE s.workflow_id = a.workflow_id AND s.call = a.call
                AND s.status NOT IN ('completed', 'cancelled')
              LIMIT 1) v) c
          WHERE r.ctid = c.row AND r.tableoid = c.part
          """,
          List.of("text", "bytea", "int4", "int8", "timestamptz"));

  private ActivityWrites() {}

  static String workflow(ActivityKey key) {
    return KeyText.column(key.workflow().value());
  }

  /** What a record is found by within its workflow; see the table's column. */
  static byte[] call(ActivityKey key) {
    String joined = KeyText.joined(key.operation(), key.activity(), key.idempotencyKey());
    return Payloads.hash(joined.getBytes(StandardCharsets.UTF_8));
  }

  static List<SideValues> claim(SideRow.ActivityClaimed claim) {
    ActivityKey key = claim.key();
    String workflow = workflow(key);
    byte[] call = call(key);
    String at = StoredTime.floor(claim.at()).toString();
    byte[] invocation = claim.invocation().bytes();
    SideValues made =
        SideValues.of(
            CLAIM,
            workflow,
            call,
            KeyText.column(key.operation()),
            KeyText.column(key.activity()),
            KeyText.column(key.idempotencyKey()),
            claim.shard(),
            claim.attempt(),
            claim.epoch(),
            invocation,
            at);
    if (claim.first()) return List.of(made);
    // A fork has calls open that its own run never claimed.
    return List.of(
        SideValues.of(LOCK, workflow, call),
        made,
        SideValues.of(CLAIM_AGAIN, workflow, call, claim.attempt(), claim.epoch(), at));
  }

  /** A large result is stored by the commit itself, whose journal entry refers to it, too. */
  static List<SideValues> settle(SideRow.ActivitySettled settled) {
    ActivityKey key = settled.key();
    String workflow = workflow(key);
    byte[] call = call(key);
    Apart storedByCommit = Apart.besideJournal(key.workflow(), settled.shard());
    return List.of(
        SideValues.of(LOCK, workflow, call),
        SideValues.of(
            SETTLE,
            workflow,
            call,
            settled.status().word(),
            settled.result().map(value -> StoredValues.of(value, storedByCommit)).orElse(null),
            settled.error().map(StoredValues::of).orElse(null),
            StoredTime.floor(settled.at()).toString()));
  }
}
