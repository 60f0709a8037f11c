package dev.tenure.sharding.workflow;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.sharding.lease.Tenures;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the workflows of this node's shards: all that must be awake when a shard is new here, and
 * then what becomes due. A wake-up too many does no harm.
 */
final class Wakes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Wakes.class);
  private static final int PAGE = 1_000;

  /** A row is seen when its transaction is over: so far back each scan looks again. */
  private static final Duration OVERLAP = Duration.ofSeconds(5);

  private final Host host;
  private final Tenures tenures;
  private final ScheduledThreadPoolExecutor thread;

  /** By shard, the epoch for which everything was woken. */
  private final Map<Integer, Long> woken = new HashMap<>();

  private final Set<WakeUp> recent = new HashSet<>();
  private Instant scanned;

  Wakes(Host host) {
    this.host = host;
    this.tenures = Tenures.of(host.system);
    this.scanned = host.clock.instant();
    thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-wakes").factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    long period = host.settings.scanEvery().toMillis();
    thread.scheduleWithFixedDelay(this::scan, period, period, TimeUnit.MILLISECONDS);
  }

  private void scan() {
    try {
      Set<Integer> ownerless = new HashSet<>();
      for (int shard = 0; shard < host.shards; shard++) if (!acquire(shard)) ownerless.add(shard);
      if (!ownerless.isEmpty()) allocate(ownerless);
      due();
    } catch (StorageException e) {
      log.warn("workflows cannot be woken before the store is back: {}", e.getMessage());
    } catch (RuntimeException e) {
      // An exception would end the scans, and with them every timer of workflows at rest.
      if (!thread.isShutdown()) log.error("a scan for workflows to wake failed", e);
    }
  }

  /**
   * A shard begins somewhere with the first message to it. One workflow of each that should be
   * awake gets one; whoever then owns the shard wakes the others.
   */
  private void allocate(Set<Integer> shards) {
    Set<Integer> begun = new HashSet<>();
    Instant now = host.clock.instant();
    for (WakeUp one : host.storage.workflows().due(shards, WakeUp.Point.FIRST, now, PAGE))
      if (begun.add(one.shard())) host.tell(one.workflowId(), Message.WakeUp.WAKE_UP);
  }

  /** Wakes everything of a shard that is new here; false when this node does not hold it. */
  private boolean acquire(int shard) {
    OptionalLong epoch = tenures.epochOf(shard);
    if (epoch.isEmpty()) {
      woken.remove(shard);
      return false;
    }
    if (Long.valueOf(epoch.getAsLong()).equals(woken.get(shard))) return true;
    WakeUp.Point after = WakeUp.Point.FIRST;
    List<WakeUp> page;
    do {
      page = host.storage.workflows().mustBeAwake(shard, after, PAGE);
      for (WakeUp one : page) host.tell(one.workflowId(), Message.WakeUp.WAKE_UP);
      if (!page.isEmpty()) after = page.getLast().point();
    } while (page.size() == PAGE);
    woken.put(shard, epoch.getAsLong());
    return true;
  }

  private void due() {
    if (woken.isEmpty()) return;
    Instant until = host.clock.instant();
    Instant from = scanned.minus(OVERLAP);
    WakeUp.Point after = WakeUp.Point.before(from);
    List<WakeUp> page;
    do {
      page = host.storage.workflows().due(Set.copyOf(woken.keySet()), after, until, PAGE);
      for (WakeUp one : page)
        if (recent.add(one)) host.tell(one.workflowId(), Message.WakeUp.WAKE_UP);
      if (!page.isEmpty()) after = page.getLast().point();
    } while (page.size() == PAGE);
    recent.removeIf(one -> one.at().isBefore(from));
    scanned = until;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
