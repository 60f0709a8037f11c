package dev.tenure.persistence.pekko;

import com.typesafe.config.Config;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.jdbc.journal.JdbcAsyncWriteJournal;
import scala.PartialFunction;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/**
 * The journal actor of pekko-persistence-jdbc, without the messages and streams that it would make
 * for each workflow. {@link FencedJournalDao} reads and writes.
 */
public class FencedJournal extends JdbcAsyncWriteJournal {
  public FencedJournal(Config config) {
    super(config);
  }

  @Override
  public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
    if (message instanceof JournalProtocol.ReplayMessages replay && isToTheEnd(replay))
      recover(replay);
    else super.aroundReceive(receive, message);
  }

  /** Whether a replay has no upper version. All replays of owners have none. */
  private static boolean isToTheEnd(JournalProtocol.ReplayMessages replay) {
    return replay.toSequenceNr() == Long.MAX_VALUE;
  }

  /**
   * The stock journal asks for the newest version first, and then makes a stream for each entity.
   * When ten thousand of them recover at once, that is a fifth of the work.
   */
  private void recover(JournalProtocol.ReplayMessages replay) {
    ActorRef entity = replay.persistentActor();
    ActorRef me = self();
    ((FencedJournalDao) journalDao())
        .recover(
            replay.persistenceId(),
            Math.max(1, replay.fromSequenceNr()),
            replay.max(),
            event -> entity.tell(new JournalProtocol.ReplayedMessage(event), ActorRef.noSender()))
        .whenComplete(
            (newest, failure) ->
                entity.tell(
                    failure == null
                        ? new JournalProtocol.RecoverySuccess(newest)
                        : new JournalProtocol.ReplayMessagesFailure(
                            failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure),
                    me));
  }

  /**
   * The stock journal sends itself a message after every write, to let a recovery wait for it. The
   * DAO keeps the same promise without.
   */
  @Override
  public Future<Seq<Try<BoxedUnit>>> asyncWriteMessages(Seq<AtomicWrite> messages) {
    return journalDao().asyncWriteMessages(messages);
  }
}
