package dev.tenure.persistence.codec;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.kernel.Digits;

/** The integers, as integers: what no sequence of commits can have written is refused when read. */
final class DigitsCodec {
  private DigitsCodec() {}

  static void digits(BinaryWriter out, Digits digits) {
    ledger(out, digits.activity());
    out.number(digits.guid().value());
    semaphore(out, digits.semaphore());
  }

  static Digits digits(BinaryReader in) {
    return new Digits(ledger(in), new GuidLedger(in.number()), semaphore(in));
  }

  static void ledger(BinaryWriter out, ActivityLedger ledger) {
    out.number(ledger.value());
  }

  static ActivityLedger ledger(BinaryReader in) {
    return new ActivityLedger(in.number());
  }

  static void semaphore(BinaryWriter out, JobSemaphore semaphore) {
    out.number(semaphore.open());
    out.number(semaphore.threshold() << 1 | (semaphore.edge() == JobSemaphore.Edge.TAKEN ? 1 : 0));
  }

  static JobSemaphore semaphore(BinaryReader in) {
    long open = in.number();
    long rest = in.number();
    return new JobSemaphore(
        open, rest >>> 1, (rest & 1) == 1 ? JobSemaphore.Edge.TAKEN : JobSemaphore.Edge.PENDING);
  }

  static void inception(BinaryWriter out, Inception inception) {
    out.number(inception.children());
    out.number(inception.guid().value());
    semaphore(out, inception.semaphore());
  }

  static Inception inception(BinaryReader in) {
    return new Inception(in.smallNumber(), new GuidLedger(in.number()), semaphore(in));
  }
}
