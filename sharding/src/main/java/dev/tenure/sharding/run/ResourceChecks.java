package dev.tenure.sharding.run;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.commit.RecordedActivities.Done;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.ResourceVerifier;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up, before a recovered run goes on, whether the outside world still agrees with what its
 * activities are recorded to have done.
 */
final class ResourceChecks {
  private static final Logger log = LoggerFactory.getLogger(ResourceChecks.class);

  private final Host host;
  private final WorkflowId id;
  private final Fence tenure;
  private final Owner.Self self;
  private final AtomicInteger left = new AtomicInteger();
  private final Map<OperationId, String> differences = new ConcurrentHashMap<>(0);
  private final List<Incident.ResourceDiffers> unconfirmed = new ArrayList<>(0);
  private List<Done> recorded = List.of();
  private boolean begun;

  ResourceChecks(Host host, WorkflowId id, Fence tenure, Owner.Self self) {
    this.host = host;
    this.id = id;
    this.tenure = tenure;
    this.self = self;
  }

  /**
   * Begins the checks when there are any. Whether the run has to wait for them.
   *
   * @param repaired whether this owner began for a repair, which has the run go on
   */
  boolean mustWait(List<Done> all, WorkflowState state, boolean repaired) {
    // Who resolves an incident about differences has been told of them, and confirms.
    boolean confirms =
        state.incident().filter(Incident.ResourceDiffers.class::isInstance).isPresent();
    if (!begun && (state.runs() || repaired && !confirms)) begin(all, state);
    begun = true;
    return left.get() > 0;
  }

  private void begin(List<Done> all, WorkflowState state) {
    recorded = all;
    left.set(recorded.size());
    for (Done one : recorded)
      host.activities.checkResource(task(one, state), one.result(), new Answer(one.operation()));
  }

  private ActivityTask task(Done one, WorkflowState state) {
    return new ActivityTask(
        id,
        state.start().runId(),
        one.operation(),
        1,
        one.spec(),
        tenure,
        Effect.Proof.NEEDED,
        Optional.empty(),
        state.start().trace());
  }

  private final class Answer implements Activities.Asker {
    private final OperationId operation;

    private Answer(OperationId operation) {
      this.operation = operation;
    }

    @Override
    public void isTimed() {
      host.watchActivities();
    }

    @Override
    public Payload detailsBefore() {
      return Payload.NONE;
    }

    @Override
    public void said(Payload details) {}

    @Override
    public void absent() {
      over();
    }

    @Override
    public void ended(Outcome outcome) {
      boolean failed = outcome instanceof Outcome.Failed;
      differences.put(
          operation, failed ? ((Outcome.Failed) outcome).failure().message() : outcome.toString());
      over();
    }

    private void over() {
      if (left.decrementAndGet() == 0) self.tell(Message.GoOn.GO_ON);
    }
  }

  /** Whether the owner begins although some have not answered, because the run is to end. */
  boolean areUnderWay() {
    return left.get() > 0;
  }

  /** What follows from the checks: ends the run, or says what a person has to confirm. */
  void conclude(List<Message.Queued> agenda) {
    for (Done one : recorded) {
      String evidence = differences.get(one.operation());
      if (evidence != null) differs(one, evidence, agenda);
    }
  }

  private void differs(Done one, String evidence, List<Message.Queued> agenda) {
    ResourceVerifier.Mode mode =
        host.activities.mode(one.spec().activity()).orElse(ResourceVerifier.Mode.STRICT);
    switch (mode) {
      case STRICT ->
          agenda.addFirst(new Message.Own(new Command.ResourceDiffers(one.operation(), evidence)));
      case HUMAN_IN_LOOP ->
          unconfirmed.add(new Incident.ResourceDiffers(one.operation(), evidence));
      case WARN -> {
        host.resourceWarnings.increment();
        log.warn(
            "activity {} of workflow {} is recorded with another outcome than is found: {}",
            one.operation(),
            id,
            evidence);
      }
    }
  }

  /**
   * Has the owner raise, before it hands anything out, what a person has to confirm. Each
   * difference is on record; the first one is raised last, so it is the one that the workflow
   * shows.
   */
  void raise(PendingMessages pending) {
    int others = unconfirmed.size() - 1;
    for (Incident.ResourceDiffers one : unconfirmed) {
      boolean isShown = one == unconfirmed.getFirst() && others > 0;
      pending.raise(isShown ? with(one, others) : one);
    }
  }

  private static Incident.ResourceDiffers with(Incident.ResourceDiffers one, int others) {
    return new Incident.ResourceDiffers(
        one.operation(),
        "This and %d other results, which the history names, differ. %s"
            .formatted(others, one.evidence()));
  }
}
