package dev.tenure.persistence.journal;

import com.typesafe.config.Config;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.jdbc.journal.JdbcAsyncWriteJournal;
import scala.PartialFunction;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/**
 * The journal actor of pekko-persistence-jdbc without two detours that every workflow would pay
 * for. What it does is in {@link FencedJournalDao}.
 */
public final class FencedJournal extends JdbcAsyncWriteJournal {
  private final MergedReads reads;

  public FencedJournal(Config config) {
    super(config);
    reads = StorageExtension.of(context().system()).reads();
  }

  /** A new workflow has nothing to replay, and is told so at once. */
  @Override
  public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
    if (message instanceof JournalProtocol.ReplayMessages replay
        && reads.takeFresh(replay.persistenceId())) {
      replay.persistentActor().tell(new JournalProtocol.RecoverySuccess(0), self());
    } else {
      super.aroundReceive(receive, message);
    }
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
