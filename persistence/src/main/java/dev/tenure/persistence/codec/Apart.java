package dev.tenure.persistence.codec;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The payloads of one journal entry that are kept apart from it, for the transaction that stores
 * it; or those of a snapshot or of a row beside the journal, which commits have kept apart.
 */
public final class Apart {
  private final WorkflowId id;
  private final int shard;

  /** Then what a journal has in full is not kept elsewhere, and cannot be referred to. */
  private final boolean besideJournal;

  private final List<SideRow> rows = new ArrayList<>(0);

  public Apart(WorkflowId id, int shard) {
    this(id, shard, false);
  }

  private Apart(WorkflowId id, int shard, boolean besideJournal) {
    this.id = id;
    this.shard = shard;
    this.besideJournal = besideJournal;
  }

  /**
   * For a snapshot nothing is stored here: it can refer only to payloads that a commit has stored.
   */
  public static Apart ofSnapshot(WorkflowId id) {
    return new Apart(id, 0, true);
  }

  /** For a row that holds a value which a journal may have, too. */
  public static Apart besideJournal(WorkflowId id, int shard) {
    return new Apart(id, shard, true);
  }

  boolean takes(Payload payload) {
    // A journal may contain a large payload in full: an engine with a higher limit wrote it.
    return payload.size() > Payloads.APART_BYTES && !(besideJournal && payload.isInRecord());
  }

  /** Writes the reference; what is in the store already is not stored again. */
  void keep(BinaryWriter out, Payload payload) {
    byte[] hash = HexFormat.of().parseHex(payload.fingerprint());
    out.number(BinaryReader.APART);
    out.number(payload.size());
    out.raw(hash);
    out.text(id.value());
    // A payload that another workflow keeps is copied for this one, which may outlive the other.
    boolean stored = payload.keptBy().filter(id.value()::equals).isPresent();
    if (!stored) rows.add(new SideRow.PayloadKept(id, shard, hash, payload.bytes()));
  }

  public List<SideRow> rows() {
    return rows;
  }
}
