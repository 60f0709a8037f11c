package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds out which commits of a batch take a signal that they cannot accept, when the batch as a
 * whole was not stored.
 */
final class TakableSignals {
  /**
   * A statement of its own: it begins when the locks are granted, and sees the rows as they are
   * then.
   */
  static final String JUDGE =
      """
      SELECT t.place FROM unnest(?::text[], ?::text[], ?::text[], ?::int8[]) WITH ORDINALITY
        AS t (workflow_id, name, id, position, place)
      WHERE (
        SELECT w.signals = t.position - 1 FROM workflow w
        WHERE w.id = t.workflow_id LIMIT 1) IS NOT TRUE
      OR (
        SELECT true FROM signal_response s
        WHERE s.workflow_id = t.workflow_id AND s.signal_name = t.name AND s.signal_id = t.id
        LIMIT 1)
      """;

  private record Taking(Commit commit, SideRow.SignalTaken taken) {}

  private TakableSignals() {}

  /**
   * Locks all rows of workflows that the batch is going to change, in the order of their ids, so
   * that what is found out stays true until the transaction is over. The leases and the journal
   * rows of the batch are locked before.
   */
  static Set<Commit> untakable(Connection c, List<Commit> batch) throws SQLException {
    List<Taking> all = new ArrayList<>();
    Set<String> changed = new HashSet<>();
    for (Commit commit : batch)
      for (SideRow row : commit.sideRows()) {
        if (row instanceof SideRow.SignalTaken taken) all.add(new Taking(commit, taken));
        if (row.order() == SideRow.WriteOrder.CHANGE)
          changed.add(KeyText.column(row.workflow().value()));
      }
    if (all.isEmpty()) return Set.of();
    try (PreparedStatement lock = c.prepareStatement(SignalAcceptance.LOCK)) {
      lock.setArray(1, c.createArrayOf("text", changed.toArray()));
      lock.execute();
    }
    return judge(c, all);
  }

  private static Set<Commit> judge(Connection c, List<Taking> all) throws SQLException {
    String[] workflows = new String[all.size()];
    String[] names = new String[all.size()];
    String[] ids = new String[all.size()];
    long[] positions = new long[all.size()];
    for (int i = 0; i < positions.length; i++) {
      SideRow.SignalTaken taken = all.get(i).taken;
      workflows[i] = KeyText.column(taken.workflow().value());
      names[i] = KeyText.column(taken.signal().name());
      ids[i] = KeyText.column(taken.signal().id());
      positions[i] = taken.position();
    }
    try (PreparedStatement judge = c.prepareStatement(JUDGE)) {
      judge.setArray(1, c.createArrayOf("text", workflows));
      judge.setArray(2, c.createArrayOf("text", names));
      judge.setArray(3, c.createArrayOf("text", ids));
      judge.setObject(4, positions);
      try (ResultSet rows = judge.executeQuery()) {
        Set<Commit> untakable = new HashSet<>();
        while (rows.next()) untakable.add(all.get(rows.getInt(1) - 1).commit);
        return untakable;
      }
    }
  }
}
