package dev.tenure.sharding.workflow;

import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what was decided, once it is committed (I7), until its owner goes. */
final class Performer {
  private static final Logger log = LoggerFactory.getLogger(Performer.class);

  /** An activity that was not taken is offered again after that. */
  private static final Duration OFFER_AGAIN = Duration.ofMillis(200);

  private final Host host;
  private final WorkflowId id;
  private final Results results;
  private final Deliveries deliveries;
  private final Askers askers;
  private final Inbox inbox;
  private volatile boolean stopped;

  Performer(Host host, WorkflowId id, Results results, Askers askers, Inbox inbox) {
    this.host = host;
    this.id = id;
    this.results = results;
    this.deliveries = new Deliveries(host);
    this.askers = askers;
    this.inbox = inbox;
  }

  /** Performs all but the steps, which it returns: they run when the code gets the turn. */
  List<Effect.RunStep> perform(List<Effect> effects, Optional<CodeProgram> program) {
    List<Effect.RunStep> steps = new ArrayList<>();
    for (Effect effect : effects)
      switch (effect) {
        case Effect.RunStep step -> steps.add(step);
        case Effect.RunActivity activity -> offer(task(activity));
        case Effect.StopAttempt(var operation, int attempt) -> {
          program.ifPresent(code -> code.stop(operation, attempt));
          host.activities.stop(id, operation, attempt);
        }
        case Effect.LookForSignal look -> inbox.look();
        case Effect.StartChild child ->
            host.courier.send(
                "starting " + child.spec().id(),
                deliveries.startChild(child),
                () -> !stopped,
                results::add);
        case Effect.Send send ->
            host.courier.send(
                "message " + send.guid(), deliveries.send(send), () -> !stopped, results::add);
        case Effect.AnswerUpdate(String update, var outcome) -> askers.updated(update, outcome);
        case Effect.AnnounceEnd(var status, var outcome) -> askers.ended(status, outcome);
      }
    return steps;
  }

  private ActivityTask task(Effect.RunActivity activity) {
    return new ActivityTask(
        id,
        activity.operation(),
        activity.attempt(),
        activity.spec().activity(),
        activity.spec().input(),
        activity.spec().timeouts().attempt().map(host.clock.instant()::plus));
  }

  private void offer(ActivityTask task) {
    if (stopped) return;
    Activities.Taken taken =
        host.activities.offer(
            task,
            outcome ->
                results.add(new Command.AttemptEnded(task.operation(), task.attempt(), outcome)));
    if (taken == Activities.Taken.YES) return;
    if (taken == Activities.Taken.UNKNOWN)
      log.warn("{}: no code for activity \"{}\" is registered here", id, task.activity());
    // What its attempt timeout ends meanwhile is a stale result afterwards, which the ledger drops.
    host.system
        .scheduler()
        .scheduleOnce(OFFER_AGAIN, () -> offer(task), host.system.executionContext());
  }

  void stop() {
    stopped = true;
  }
}
