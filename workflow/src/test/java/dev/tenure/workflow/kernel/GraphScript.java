package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Carries a {@link Graph} out: what follows each message is what the document says. */
final class GraphScript implements Program {
  /** An activity in one plane. */
  private static final class Activity {
    final Graph.Node node;
    final Activity parent;
    final OperationId id;
    final String key;
    int messages;
    int entries;

    Activity(Graph.Node node, Activity parent, String plane) {
      this.node = node;
      this.parent = parent;
      this.key = plane + '.' + node.name();
      this.id = id(node.name(), plane);
    }

    Activity ancestor(String name) {
      Activity at = parent;
      while (!at.node.name().equals(name)) at = at.parent;
      return at;
    }
  }

  /** What an activity of that name is called in a plane. */
  static OperationId id(String name, String plane) {
    return OperationId.of("", name + plane, 1);
  }

  /** A document may grow without end; this is where a test stops following it. */
  private static final int ACTIVITIES_MAX = 40;

  private final Graph graph;
  private final List<Wish> wishes = new ArrayList<>();
  private final Map<OperationId, Activity> open = new LinkedHashMap<>();
  private final Map<OperationId, List<News.Completed>> early = new HashMap<>();
  private final Set<OperationId> abandoned = new HashSet<>();
  private final StringBuilder trace = new StringBuilder();
  private boolean mayRenew;
  private int extras;
  private int activities;
  private boolean ended;

  GraphScript(Graph graph) {
    this.graph = graph;
  }

  @Override
  public Wishes advance(List<News> news) {
    int at = 0;
    for (; at < news.size() && !ended; at++) handle(news.get(at));
    if (!ended) wishes.add(new Wish.EndIfClosed(new Outcome.Succeeded(Script.text(trace + ""))));
    Wishes answer = new Wishes(wishes).then(Script.givenBack(news.subList(at, news.size())));
    wishes.clear();
    return answer;
  }

  private void handle(News news) {
    switch (news) {
      case News.Started started -> {
        mayRenew = started.start().begunAs().isEmpty();
        for (Graph.Node root : graph.roots()) ask(root, null, "", Optional.empty());
      }
      case News.Completed done -> completed(done);
      case News.ChildStarted started -> {}
      case News.SignalNotReceived signal -> {}
      case News.CancelRequested(var at, String reason) -> end(new Outcome.Cancelled(reason));
      case News.UpdateArrived(var at, String id, String name, Payload payload) ->
          update(id, payload);
    }
  }

  /** Now and then an update brings about something that no message asks for. */
  private void update(String id, Payload payload) {
    if (Script.text(payload).equals("bad")) {
      wishes.add(new Wish.RejectUpdate(id, Failure.permanent("Rejected", "bad")));
      return;
    }
    wishes.add(new Wish.AnswerUpdate(id, Outcome.DONE));
    ask(Graph.Node.step("extra" + extras++), null, "", Optional.empty());
  }

  private void end(Outcome outcome) {
    wishes.add(new Wish.End(outcome));
    ended = true;
  }

  private void completed(News.Completed news) {
    Activity activity = open.get(news.operation());
    if (activity == null) {
      if (abandoned.contains(news.operation()))
        news.signal().ifPresent(signal -> wishes.add(new Wish.GiveBack(news.operation(), signal)));
      else early.computeIfAbsent(news.operation(), id -> new ArrayList<>()).add(news);
      return;
    }
    trace.append(activity.id).append(';');
    activity.messages++;
    boolean went = news.outcome() instanceof Outcome.Succeeded;
    boolean stays = went && activity.messages < activity.node.answers();
    if (stays) wishes.add(new Wish.LeaveOpen(activity.id));
    else open.remove(activity.id);
    if (mayRenew && graph.renews().equals(Optional.of(activity.node.name()))) {
      wishes.add(new Wish.ContinueAsNew(Script.text("again"), Optional.empty()));
      ended = true;
      return;
    }
    if (went) follow(activity, activity.id, ++activity.entries);
  }

  /** The children of a message, in the plane of its activity's entry. */
  private void follow(Activity activity, OperationId cause, int entry) {
    activity.node.abandons().ifPresent(this::abandon);
    if (activities >= ACTIVITIES_MAX) return;
    String plane = activity.key + entry;
    for (Graph.Node child : activity.node.children())
      ask(child, activity, plane, Optional.of(cause));
  }

  private void abandon(String name) {
    for (Activity one : List.copyOf(open.values()))
      if (one.node.name().equals(name)) {
        wishes.add(new Wish.Abandon(one.id));
        abandoned.add(one.id);
        open.remove(one.id);
      }
  }

  private void ask(Graph.Node node, Activity parent, String plane, Optional<OperationId> cause) {
    Activity activity = new Activity(node, parent, plane);
    activities++;
    if (node.pivot().isPresent()) {
      cycle(activity, activity.ancestor(node.pivot().get()), cause);
      return;
    }
    wishes.add(
        new Wish.Schedule(activity.id, node.spec().orElseThrow(), cause, Optional.of(node.kind())));
    if (node.passes()) {
      follow(activity, activity.id, ++activity.entries);
      return;
    }
    open.put(activity.id, activity);
    for (News.Completed news : early.getOrDefault(activity.id, List.of())) completed(news);
  }

  /** Enters the ancestor again, until it has had its turns: then the cycle passes. */
  private void cycle(Activity cycle, Activity pivot, Optional<OperationId> cause) {
    boolean turns = pivot.entries <= cycle.node.turns();
    OperationSpec spec =
        turns ? new OperationSpec.Cycle(pivot.id) : new OperationSpec.Value(Script.text("no more"));
    wishes.add(new Wish.Schedule(cycle.id, spec, cause, Optional.empty()));
    if (turns) follow(pivot, cycle.id, ++pivot.entries);
  }
}
