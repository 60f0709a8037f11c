package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what keyed calls did whose owner cannot commit it any more, and goes on trying while the
 * store is away: the next owner would not know of the effect.
 */
public final class EffectKeeper {
  private static final Logger log = LoggerFactory.getLogger(EffectKeeper.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final InvocationLedger ledger;
  private final Executor blocking;
  private final BiConsumer<Duration, Runnable> later;
  private final Failpoints failpoints;

  /**
   * @param blocking runs what waits for the store
   * @param later runs a task after a pause
   */
  public EffectKeeper(
      InvocationLedger ledger,
      Executor blocking,
      BiConsumer<Duration, Runnable> later,
      Failpoints failpoints) {
    this.ledger = ledger;
    this.blocking = blocking;
    this.later = later;
    this.failpoints = failpoints;
  }

  /** What failed needs no record: the next owner asks the verifier. */
  public void keep(ActivityTask task, Outcome outcome) {
    if (!task.isKeyed() || !(outcome instanceof Outcome.Succeeded(Payload result))) return;
    ActivityEffect effect =
        new ActivityEffect(
            task.record(), task.tenure().shard(), Optional.of(result), Optional.empty());
    blocking.execute(() -> keep(effect));
  }

  private void keep(ActivityEffect effect) {
    failpoints.hit("effect.before");
    try {
      if (ledger.complete(effect) instanceof Recorded.Contradicted(var found))
        log.warn(
            "activity {} of workflow {} took effect, and its record says otherwise: {}",
            effect.key().operation(),
            effect.key().workflow(),
            found.map(record -> record.status().word()).orElse("there is none"));
    } catch (StorageException away) {
      log.debug("the effect of {} is stored later: {}", effect.key().operation(), away.toString());
      later.accept(PAUSE, () -> blocking.execute(() -> keep(effect)));
      return;
    }
    failpoints.hit("effect.stands");
  }
}
