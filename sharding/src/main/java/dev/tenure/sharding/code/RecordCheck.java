package dev.tenure.sharding.code;

import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.branch.RunLength;
import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.payload.PayloadConversionException;
import dev.tenure.sharding.payload.SameJson;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wishes;

/** Compares what the code asked for in its replay with the record. */
final class RecordCheck {
  private Replay expected;
  private Replay.Comparison comparison;

  void expects(Replay record, RunLength length) {
    expected = record;
    length.replays(record);
  }

  /**
   * Runs on the code's own thread, because it may read large values from the store. False when they
   * cannot be read.
   */
  boolean compares(Wishes wishes, CodeProgram program) {
    if (expected == null) return true;
    Replay record = expected;
    expected = null;
    program.scheduler().length.live();
    try {
      comparison = record.compare(wishes, new SameJson(program.codec()));
      return true;
    } catch (StorageException | MissingPayloadError unread) {
      program.broken(unread);
      return false;
    } catch (PayloadConversionException unread) {
      program.broken(CodeFault.unreadable(unread));
      return false;
    }
  }

  /** In a replay: whether the update is on record as refused, or as failed. */
  boolean hasFailed(String updateId) {
    return expected != null && expected.hasFailed(updateId);
  }

  Replay.Comparison comparison() {
    return comparison;
  }
}
