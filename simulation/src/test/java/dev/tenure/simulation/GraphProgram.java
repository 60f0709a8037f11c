package dev.tenure.simulation;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.simulation.Graph.Node;
import dev.tenure.simulation.Graph.Word;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.RememberingProgram;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Carries a {@link Graph} out: what follows each message is what the document says. */
final class GraphProgram implements RememberingProgram {
  private static final Duration[] SPANS = {
    Duration.ofMillis(10), Duration.ofSeconds(3), Duration.ofHours(2)
  };

  /** A node in one plane: another one each time that its ancestor is entered. */
  private static final class Activity {
    final Node node;
    final Activity parent;
    final String key;
    int messages;
    int entries;

    Activity(Node node, Activity parent, String plane) {
      this.node = node;
      this.parent = parent;
      this.key = plane + node.name();
    }

    OperationId id() {
      return GraphProgram.id(key);
    }

    Activity ancestor(String name) {
      Activity at = parent;
      while (!at.node.name().equals(name)) at = at.parent;
      return at;
    }
  }

  static OperationId id(String key) {
    return OperationId.of("", key, 1);
  }

  private final Graph graph;
  private final Runnable resumed;
  private final boolean forgets;
  private final List<Wish> wishes = new ArrayList<>();
  private final Map<String, Activity> all = new LinkedHashMap<>();
  private final Set<String> open = new HashSet<>();
  private final Set<String> abandoned = new HashSet<>();
  private final StringBuilder trace = new StringBuilder();
  private String runId;
  private boolean ended;

  /**
   * @param resumed told that it goes on from what another one remembered
   * @param forgets whether it loses one of its open nodes then
   */
  GraphProgram(Graph graph, Runnable resumed, boolean forgets) {
    this.graph = graph;
    this.forgets = forgets;
    this.resumed = resumed;
  }

  @Override
  public Wishes advance(List<News> news) {
    List<Wish> back = new ArrayList<>();
    for (News one : news) {
      if (!ended) handle(one);
      else if (one instanceof News.Completed done && done.signal().isPresent())
        back.add(new Wish.GiveBack(done.operation(), done.signal().get()));
    }
    // Nothing follows the end.
    if (ended) wishes.addAll(Math.max(0, wishes.size() - 1), back);
    else wishes.add(new Wish.EndIfClosed(new Outcome.Succeeded(Machines.text(trace.toString()))));
    Wishes answer = new Wishes(wishes);
    wishes.clear();
    return answer;
  }

  private void handle(News news) {
    switch (news) {
      case News.Started started -> {
        runId = started.start().runId();
        for (Node root : graph.roots()) ask(root, null, "", Optional.empty());
      }
      case News.Completed done -> completed(done);
      case News.ChildStarted child -> {}
      case News.SignalNotReceived signal -> {}
      case News.CancelRequested cancel -> {
        wishes.add(new Wish.End(new Outcome.Cancelled(cancel.reason())));
        ended = true;
      }
      case News.UpdateArrived update ->
          wishes.add(
              new Wish.AnswerUpdate(
                  update.updateId(), new Outcome.Succeeded(Machines.text(trace.toString()))));
    }
  }

  private void completed(News.Completed news) {
    String key = news.operation().name();
    if (!open.contains(key)) {
      if (abandoned.contains(key))
        news.signal().ifPresent(signal -> wishes.add(new Wish.GiveBack(news.operation(), signal)));
      return;
    }
    Activity activity = all.get(key);
    boolean well = news.outcome() instanceof Outcome.Succeeded;
    trace.append(key).append(well ? "+ " : "- ");
    activity.messages++;
    if (well && activity.messages < activity.node.answers())
      wishes.add(new Wish.LeaveOpen(activity.id()));
    else open.remove(key);
    if (well) follow(activity, activity.id());
  }

  /** What a message asks for, in the plane of the entry that it made. */
  private void follow(Activity activity, OperationId cause) {
    activity.node.givesUp().ifPresent(this::giveUp);
    String plane = activity.key + '-' + ++activity.entries + '.';
    for (Node child : activity.node.children()) ask(child, activity, plane, Optional.of(cause));
  }

  private void giveUp(String name) {
    for (Activity one : all.values())
      if (one.node.name().equals(name) && open.remove(one.key)) {
        wishes.add(new Wish.Abandon(one.id()));
        abandoned.add(one.key);
      }
  }

  private void ask(Node node, Activity parent, String plane, Optional<OperationId> cause) {
    Activity activity = new Activity(node, parent, plane);
    all.put(activity.key, activity);
    if (node.word() == Word.CYCLE) {
      cycle(activity, cause);
      return;
    }
    wishes.add(new Wish.Schedule(activity.id(), spec(node), cause, Optional.of(node.word().kind)));
    if (node.word().passes()) follow(activity, activity.id());
    else open.add(activity.key);
  }

  private void cycle(Activity cycle, Optional<OperationId> cause) {
    Activity pivot = cycle.ancestor(cycle.node.other());
    boolean turns = pivot.entries <= cycle.node.number();
    OperationSpec spec =
        turns
            ? new OperationSpec.Cycle(pivot.id())
            : new OperationSpec.Value(Machines.text("no more"));
    wishes.add(new Wish.Schedule(cycle.id(), spec, cause, Optional.empty()));
    if (turns) follow(pivot, cycle.id());
  }

  private OperationSpec spec(Node node) {
    Duration span = SPANS[node.number() % SPANS.length];
    return switch (node.word()) {
      case ACTIVITY, GIVES_UP ->
          new OperationSpec.Activity(
              StepParts.ACTIVITY.name(),
              Machines.text("activity@" + runId),
              Life.RETRY,
              Timeouts.NONE);
      case TIMER, TIME_PIVOT -> new OperationSpec.Timer(new Due.After(span));
      case HOOK, HOOK_PIVOT -> new SignalWait(Machines.SIGNAL, Optional.empty());
      case HASTY_HOOK -> new SignalWait(Machines.SIGNAL, Optional.of(span));
      case PASS, PIVOT -> new OperationSpec.Value(Machines.text(node.name()));
      case MESSAGE ->
          new OperationSpec.Message(
              WorkflowId.of("w" + node.number()),
              new MessageContent.Signal(Machines.SIGNAL, Machines.text("from " + runId)));
      case CYCLE -> throw new IllegalStateException(node.toString());
    };
  }

  // --- what it remembers

  /** A line each: its run, its trace, and every activity with its parent and what it is at. */
  @Override
  public Optional<Payload> memory() {
    if (runId == null || ended) return Optional.empty();
    List<String> lines = new ArrayList<>(List.of(runId, trace.toString()));
    for (Activity one : all.values())
      lines.add(
          "%s %s %s %d %d %s"
              .formatted(
                  one.key,
                  one.node.name(),
                  one.parent == null ? "-" : one.parent.key,
                  one.messages,
                  one.entries,
                  open.contains(one.key) ? "open" : abandoned.contains(one.key) ? "left" : "over"));
    return Optional.of(Machines.text(String.join("\n", lines)));
  }

  @Override
  public void resume(Payload memory) {
    resumed.run();
    String text = (String) PayloadCodec.standard().read(memory, String.class, "a memory");
    String[] lines = text.split("\n", -1);
    Map<String, Node> nodes = graph.byName();
    runId = lines[0];
    trace.append(lines[1]);
    for (int i = 2; i < lines.length; i++) {
      String[] words = lines[i].split(" ");
      Node node = nodes.get(words[1]);
      String plane = words[0].substring(0, words[0].length() - words[1].length());
      Activity one = new Activity(node, all.get(words[2]), plane);
      one.messages = Integer.parseInt(words[3]);
      one.entries = Integer.parseInt(words[4]);
      all.put(one.key, one);
      if (words[5].equals("open")) open.add(one.key);
      if (words[5].equals("left")) abandoned.add(one.key);
    }
    if (forgets && !open.isEmpty()) open.remove(open.iterator().next());
  }
}
