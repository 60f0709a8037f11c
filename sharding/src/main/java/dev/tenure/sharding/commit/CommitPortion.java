package dev.tenure.sharding.commit;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Wishes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The part of the code's wishes that one commit holds: all of them, or as many of the first ones as
 * fit. The rest follows in commits of its own. An owner that crashes between them loses nothing:
 * the replayed code asks for all of it again, and what is not on record yet is granted then.
 *
 * @param decision with the wishes that are part of this commit
 * @param rest what the code asked for after them
 * @param whyTooLarge when even the least that it must hold does not fit
 */
public record CommitPortion(
    Decision decision, JournalEntry.Encoded encoded, Wishes rest, Optional<String> whyTooLarge) {
  /**
   * How many wishes the commit of that command must hold at least. A commit that grants only the
   * rest has to grant some of it, or the owner would repeat it for ever. A person who repairs the
   * workflow is told when its code still asks for too much at once.
   */
  public static int wishesMin(Command command) {
    return command instanceof Command.GrantMore || command instanceof Command.Repair ? 1 : 0;
  }

  /**
   * Halves what is granted until it fits.
   *
   * @param limits how much one commit takes
   * @param decide the commit with the wishes that it is given
   */
  public static CommitPortion of(
      Wishes asked,
      int wishesMin,
      OwnerLimits limits,
      Function<Wishes, Decision> decide,
      Function<List<Event>, JournalEntry.Encoded> encode) {
    for (int count = Math.min(asked.size(), limits.wishesPerCommit()); ; count /= 2) {
      Decision decision = decide.apply(asked.first(count));
      JournalEntry.Encoded encoded = encode.apply(decision.events());
      Optional<String> whyTooLarge = HistoryWriter.tooLarge(encoded, limits.commitBytes());
      if (whyTooLarge.isEmpty() || count <= wishesMin)
        return new CommitPortion(decision, encoded, decision.rest(asked, count), whyTooLarge);
    }
  }
}
