package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import java.util.List;

/** Payloads that are stored with the commit that refers to them. */
final class PayloadWrites {
  /**
   * The same payload again is the same row: a stored row is never changed. A transaction that finds
   * another one storing it waits for that one, so all insert in the order of the keys.
   */
  static final SideStatement KEEP =
      new SideStatement(
          "payload-keep",
          """
          INSERT INTO payload (workflow_id, hash, shard, content)
          SELECT * FROM unnest(?::text[], ?::bytea[], ?::int4[], ?::bytea[])
            AS p (workflow_id, hash, shard, content)
          ORDER BY p.workflow_id COLLATE "C", p.hash
          ON CONFLICT (workflow_id, hash) DO NOTHING
          """,
          List.of("text", "bytea", "int4", "bytea"));

  private PayloadWrites() {}

  static SideValues keep(SideRow.PayloadKept payload) {
    return SideValues.of(
        KEEP,
        KeyText.column(payload.workflow().value()),
        payload.hash(),
        payload.shard(),
        payload.content());
  }
}
