package dev.tenure.sharding.workflow;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.pekko.FencedJournal;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.PersistentEnvelope;
import org.apache.pekko.persistence.PersistentRepr;
import scala.PartialFunction;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** A journal that loses what it is told of some workflows, as when its actor fails of something. */
public final class SilentJournal extends FencedJournal {
  private static final Map<String, AtomicInteger> READS = new ConcurrentHashMap<>();
  private static final Map<String, AtomicInteger> WRITES = new ConcurrentHashMap<>();

  public SilentJournal(Config config) {
    super(config);
  }

  /** Has a node use it. */
  static Config config() {
    return ConfigFactory.parseString("tenure-journal.class = " + SilentJournal.class.getName());
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
        switch (message) {
          case JournalProtocol.ReplayMessages read -> isLost(READS, read.persistenceId());
          case JournalProtocol.WriteMessages write ->
              CollectionConverters.asJava(write.messages()).stream()
                  .anyMatch(SilentJournal::isLost);
          default -> false;
        };
    if (!lost) super.aroundReceive(receive, message);
  }

  private static boolean isLost(PersistentEnvelope write) {
    return write instanceof AtomicWrite atomic
        && CollectionConverters.asJava(atomic.payload()).stream()
            .map(PersistentRepr::persistenceId)
            .anyMatch(id -> isLost(WRITES, id));
  }

  private static boolean isLost(Map<String, AtomicInteger> what, String persistenceId) {
    AtomicInteger left = what.get(persistenceId);
    return left != null && left.getAndUpdate(many -> Math.max(0, many - 1)) > 0;
  }
}
