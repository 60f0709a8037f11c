package dev.tenure.simulation;

import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** People who send signals, to the node of a workflow or to any. */
final class Senders {
  private static final PayloadCodec CODEC = PayloadCodec.standard();
  private static final String PLACE = "request";
  private static final int BURST_MAX = 40;

  /**
   * One node works on a signal no longer than this, also when the store is silent. Time alone does
   * not say so: the loop's clock may pass a signal's next task by minutes. Nor do tasks alone:
   * thousands may be done at one time, while the store is silent.
   */
  private static final long OPEN_TASKS_MAX = 1_000;

  private static final Duration OPEN_MAX = Duration.ofMinutes(1);

  /** A signal that is sent again by then is handled well before its answer goes. */
  private static final Duration REPEAT_MAX = SignalSettings.DEFAULT.retention().minusDays(1);

  /** A moment of the loop. */
  record Moment(long tasks, Instant at) {
    boolean isSoonAfter(Moment sent) {
      return tasks - sent.tasks < OPEN_TASKS_MAX || at.isBefore(sent.at.plus(OPEN_MAX));
    }
  }

  private final LoopNode gateway;
  private final Function<WorkflowId, Optional<LoopNode>> nodes;
  private final Function<LoopNode, Optional<Moment>> crashes;
  private final Supplier<Moment> now;
  private final Chance chance;
  private final OddTexts odd;
  private final Checker checker;
  private final Answers answers;

  /**
   * @param nodes on which a workflow lives
   * @param crashes when a node died, if it did
   */
  Senders(
      LoopNode gateway,
      Function<WorkflowId, Optional<LoopNode>> nodes,
      Function<LoopNode, Optional<Moment>> crashes,
      Supplier<Moment> now,
      Chance chance,
      OddTexts odd,
      Checker checker,
      Answers answers) {
    this.gateway = gateway;
    this.nodes = nodes;
    this.crashes = crashes;
    this.now = now;
    this.chance = chance;
    this.odd = odd;
    this.checker = checker;
    this.answers = answers;
  }

  void signal(WorkflowId id, String name, String signalId) {
    Moment sent = now.get();
    World.SignalKey key = new World.SignalKey(id.value(), name, signalId);
    // When its answer has gone, the store rightly accepts the same id as another signal. Senders
    // repeat a signal within the retention only, as its contract asks of them.
    if (checker.inboxes().isAcceptedBefore(key, sent.at.minus(REPEAT_MAX))) return;
    // Where the workflow lives, its owner may take it itself.
    LoopNode node = chance.half("near") ? nodes.apply(id).orElse(gateway) : gateway;
    answers.to(
        "signal %s of %s".formatted(signalId, id),
        node.workflows().signal(id, name, text(odd.of(signalId)), Optional.of(signalId)),
        result -> {
          if (result instanceof SignalResult.Accepted)
            Violation.require(
                checker.inboxes().accepted().contains(key),
                "I1",
                "signal %s of %s was acknowledged and is not accepted".formatted(signalId, id));
        },
        () -> diedOf(node, sent));
  }

  /** Whether the node died with it: what is open for longer than that was forgotten before. */
  private boolean diedOf(LoopNode node, Moment sent) {
    return crashes.apply(node).filter(died -> died.isSoonAfter(sent)).isPresent();
  }

  /**
   * Sends an x to a workflow that waits for one; now and then with another signal, or a second
   * time.
   */
  void help(WorkflowId id, String note) {
    if (chance.half("again")) {
      List<World.SignalKey> before = checker.inboxes().accepted(id.value(), "x");
      if (!before.isEmpty()) signal(id, "x", before.get(chance.below("again", before.size())).id());
    }
    if (chance.half("another")) signal(id, "x", "another " + note);
    signal(id, "x", note);
  }

  void burst(WorkflowId id, String note) {
    int count = 10 + chance.below(PLACE, BURST_MAX);
    Workflows client = gateway.workflows();
    answers.to("one more", client.signal(id, "y", text(client.newId()), Optional.empty()), x -> {});
    for (int i = 0; i < count; i++)
      signal(id, SignalParts.NAMES.get(i % SignalParts.NAMES.size()), note + "." + i);
  }

  private static Payload text(String value) {
    return CODEC.write(value, String.class, "a text");
  }
}
