package dev.tenure.sharding.workflow;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.pekko.Fenced;
import dev.tenure.persistence.pekko.FencedJournal;
import dev.tenure.persistence.pekko.FencedJournalDao;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.jdbc.config.JournalConfig;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.stream.Materializer;
import scala.PartialFunction;
import scala.concurrent.ExecutionContext;
import scala.runtime.BoxedUnit;
import slick.jdbc.JdbcBackend;
import slick.jdbc.JdbcProfile;

/** A journal that loses what it is told of some workflows, as when its actor fails of something. */
public final class SilentJournal extends FencedJournal {
  private static final Map<String, AtomicInteger> READS = new ConcurrentHashMap<>();
  private static final Map<String, AtomicInteger> WRITES = new ConcurrentHashMap<>();

  public SilentJournal(Config config) {
    super(config);
  }

  /** Has a node use it. */
  static Config config() {
    return ConfigFactory.parseMap(
        Map.of(
            "tenure-journal.class", SilentJournal.class.getName(),
            "tenure-journal.dao", Dao.class.getName()));
  }

  /** The next reads of the workflow are lost; what is left of them is counted down. */
  static AtomicInteger losesReads(String id, int times) {
    return loses(READS, id, times);
  }

  /** The next commits of the workflow are lost. */
  static AtomicInteger losesWrites(String id, int times) {
    return loses(WRITES, id, times);
  }

  private static AtomicInteger loses(Map<String, AtomicInteger> what, String id, int times) {
    AtomicInteger left = new AtomicInteger(times);
    what.put(Host.persistenceId(WorkflowId.of(id)), left);
    return left;
  }

  @Override
  public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
    boolean lost =
        message instanceof JournalProtocol.ReplayMessages read
            && isLost(READS, read.persistenceId());
    if (!lost) super.aroundReceive(receive, message);
  }

  /** What it stores with: it never answers the commits that are lost. */
  public static final class Dao extends FencedJournalDao {
    public Dao(
        JdbcBackend.JdbcDatabaseDef db,
        JdbcProfile profile,
        JournalConfig config,
        Serialization serialization,
        ExecutionContext executor,
        Materializer materializer) {
      super(db, profile, config, serialization, executor, materializer);
    }

    @Override
    public CompletionStage<CommitResult> write(CommitId id, Fenced event) {
      return isLost(WRITES, id.persistenceId())
          ? new CompletableFuture<>()
          : super.write(id, event);
    }
  }

  private static boolean isLost(Map<String, AtomicInteger> what, String persistenceId) {
    AtomicInteger left = what.get(persistenceId);
    return left != null && left.getAndUpdate(many -> Math.max(0, many - 1)) > 0;
  }
}
