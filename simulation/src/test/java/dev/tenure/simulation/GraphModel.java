package dev.tenure.simulation;

import dev.tenure.simulation.Graph.Node;
import dev.tenure.simulation.Graph.Word;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.operation.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the contract says of one job: it knows the document and which messages came, and says after
 * each commit what is open, where that stands, and how much each message moved the semaphore.
 */
final class GraphModel {
  private static final class Item {
    final Node node;
    final Item parent;
    final String key;
    final List<Integer> address;
    int follows;
    int answers;

    Item(Node node, Item parent, String plane, List<Integer> address) {
      this.node = node;
      this.parent = parent;
      this.key = plane + node.name();
      this.address = address;
    }

    String path() {
      return address.stream().map(index -> "," + index).collect(Collectors.joining());
    }
  }

  private final String id;
  private final Graph graph;

  /** Whether one commit may hold less than a message asks for. */
  private final boolean inPortions;

  private final Map<String, Item> open = new LinkedHashMap<>();

  /** What was answered, and how, while its program does not know of it. */
  private final Map<String, Boolean> untold = new LinkedHashMap<>();

  /** The messages that each activity took, with those of attempts that failed. */
  private final Map<String, Integer> entries = new HashMap<>();

  /** The entry of each one's own newest message: a cycle may take another after it. */
  private final Map<String, Integer> newest = new HashMap<>();

  /** What is to be on record by the end of the commit. */
  private final Map<String, Item> asked = new LinkedHashMap<>();

  /** What is on record before the message that asks for it counts. */
  private final Set<String> early = new HashSet<>();

  /** What passes, or is given up, and does not count yet. */
  private final Set<String> owed = new HashSet<>();

  /** What is given up before the message counts because of which it is. */
  private final Set<String> gone = new HashSet<>();

  /** How many children the messages of this commit ask for. */
  private final Map<String, Integer> children = new HashMap<>();

  private long semaphore;
  private boolean started;
  private boolean published;
  private boolean over;

  GraphModel(String id, Graph graph, boolean inPortions) {
    this.id = id;
    this.graph = graph;
    this.inPortions = inPortions;
  }

  private void require(boolean holds, String invariant, String what) {
    Violation.require(
        holds, invariant, id + ", by its graph" + (inPortions ? " in portions: " : ": ") + what);
  }

  private static boolean isEngines(Event event) {
    return event instanceof Event.OfOperation of && of.operation().isEngines();
  }

  void commit(List<Event> events, WorkflowState state) {
    if (over || isCutShort(events)) return;
    List<Event> all = events.stream().filter(event -> !isEngines(event)).toList();
    Set<String> counts = new HashSet<>();
    for (Event event : all) came(event, counts);
    for (String key : List.copyOf(untold.keySet()))
      if (!state.isHeld() || counts.contains(key)) told(key);
    for (Event event : all) onRecord(event);
    children.clear();
    if (over || !published) return;
    boolean settled = asked.isEmpty() && early.isEmpty() && owed.isEmpty() && gone.isEmpty();
    require(settled || inPortions, "I12", "it owes " + asked.keySet() + owed);
    if (settled) compare(state);
  }

  /** Whoever cancels or terminates it is not asked what its messages would have asked for. */
  private boolean isCutShort(List<Event> events) {
    for (Event event : events)
      if (event instanceof Event.Ended ended && !(ended.outcome() instanceof Outcome.Succeeded))
        over = true;
    return over;
  }

  /** Messages that came, and whose step 2 is in this commit. */
  private void came(Event event, Set<String> counts) {
    switch (event) {
      case Event.OfOperation e -> came(e, counts);
      case Event.Published e -> begin();
      case Event.BeginsRun e -> {}
      case Event.OfRun e -> {}
      case Event.OfEngine e -> {}
      case Event.SignalReturned e -> {}
      case Event.SourceChildStarted e -> {}
      case Event.SourceSignalNotReceived e -> {}
    }
  }

  private void came(Event.OfOperation event, Set<String> counts) {
    String key = event.operation().name();
    switch (event) {
      case Event.Scheduled e -> begin();
      case Event.ValueRecorded e -> begin();
      case Event.Completed e -> entered(key, e.outcome() instanceof Outcome.Succeeded);
      case Event.SignalConsumed e -> entered(key, true);
      case Event.AttemptFailed e -> entries.merge(key, 1, Integer::sum);
      case Event.Spawned e -> counts.add(key);
      case Event.Reentered e -> {}
      case Event.AttemptStarted e -> {}
      case Event.Retried e -> {}
      case Event.Concluded e -> {}
      case Event.ChildStarted e -> {}
      case Event.Abandoned e -> {}
      case Event.LetGo e -> {}
      case Event.GivenUp e -> {}
    }
  }

  /** The first that it asks for, or that it asks for nothing, begins it. */
  private void begin() {
    if (started) return;
    started = true;
    ask(graph.roots(), null, "", List.of(0, 0));
  }

  private void entered(String key, boolean well) {
    // What is being delivered although nobody waits for it comes out with nothing.
    require(untold.put(key, well) == null, "I6", key + " is answered twice");
    newest.put(key, entries.merge(key, 1, Integer::sum));
  }

  private void told(String key) {
    boolean well = untold.remove(key);
    owed.add(key);
    Item item = open.get(key);
    // The program had given it up when it learned of it.
    if (item == null) {
      children.put(key, 0);
      return;
    }
    item.answers++;
    if (!well || item.answers >= item.node.answers()) open.remove(key);
    children.put(key, well ? item.node.children().size() : 0);
    if (well) follow(item, ordinal(item));
  }

  private int ordinal(Item item) {
    return item.node.word().kind.stepsInLeg1() ? 0 : newest.get(item.key);
  }

  private void follow(Item item, int ordinal) {
    item.node.givesUp().ifPresent(this::giveUp);
    List<Integer> below = new ArrayList<>(item.address);
    below.set(below.size() - 1, Math.max(0, ordinal - 1));
    below.add(0);
    ask(item.node.children(), item, item.key + '-' + ++item.follows + '.', below);
  }

  private void giveUp(String name) {
    for (Item one : List.copyOf(open.values()))
      if (one.node.name().equals(name)) {
        open.remove(one.key);
        if (!untold.containsKey(one.key) && !gone.remove(one.key)) owed.add(one.key);
      }
  }

  private void ask(List<Node> nodes, Item parent, String plane, List<Integer> address) {
    for (Node node : nodes) {
      Item item = new Item(node, parent, plane, address);
      if (!early.remove(item.key)) asked.put(item.key, item);
      if (node.word() == Word.CYCLE) cycle(item);
      else if (node.word().passes()) passes(item);
      else open.put(item.key, item);
    }
  }

  private void passes(Item item) {
    children.put(item.key, item.node.children().size());
    owed.add(item.key);
    // What passes and can be entered again has its first entry in advance.
    entries.put(item.key, item.node.word() == Word.PIVOT ? 1 : 0);
    follow(item, 0);
  }

  private void cycle(Item cycle) {
    Item pivot = cycle.parent;
    while (!pivot.node.name().equals(cycle.node.other())) pivot = pivot.parent;
    boolean turns = pivot.follows <= cycle.node.number();
    owed.add(cycle.key);
    children.put(cycle.key, turns ? pivot.node.children().size() : 0);
    if (!turns) return;
    int entry = Math.max(1, entries.getOrDefault(pivot.key, 0)) + 1;
    entries.put(pivot.key, entry);
    follow(pivot, entry);
  }

  /** What the commit says of it, event by event. */
  private void onRecord(Event event) {
    switch (event) {
      case Event.OfOperation e -> onRecord(e);
      case Event.Published e -> {
        published = true;
        semaphore = e.inception().semaphore().open();
      }
      case Event.Ended e -> ended(e);
      case Event.BeginsRun e -> {}
      case Event.OfRun e -> {}
      case Event.OfEngine e -> {}
      case Event.SignalReturned e -> {}
      case Event.SourceChildStarted e -> {}
      case Event.SourceSignalNotReceived e -> {}
    }
    if (event instanceof Event.OfMessage message && !over)
      semaphore = message.digits().semaphore().open();
  }

  private void onRecord(Event.OfOperation event) {
    String key = event.operation().name();
    switch (event) {
      case Event.Scheduled e -> isAsked(key, e.place());
      case Event.ValueRecorded e -> isAsked(key, e.place());
      case Event.Reentered e -> isAsked(key, e.place());
      case Event.Spawned e -> {
        spawned(e);
        owed.remove(key);
      }
      case Event.Abandoned e -> givenUp(key);
      case Event.LetGo e -> givenUp(key);
      case Event.AttemptFailed e -> {}
      case Event.AttemptStarted e -> {}
      case Event.Retried e -> {}
      case Event.Concluded e -> {}
      case Event.ChildStarted e -> {}
      case Event.Completed e -> {}
      case Event.SignalConsumed e -> {}
      case Event.GivenUp e -> {}
    }
  }

  private void givenUp(String key) {
    // One that was let go is delivered, and is over for good with that.
    if (!owed.remove(key) && open.containsKey(key)) gone.add(key);
  }

  private void isAsked(String key, Place place) {
    Item item = asked.remove(key);
    if (item == null) {
      require(inPortions && early.add(key), "I12", "nothing asks for " + key);
      return;
    }
    boolean turned = item.node.word() == Word.CYCLE;
    require(turned || place.kind() == item.node.word().kind, "I9", key + " is " + place);
    require(
        place.address().path().equals(item.path()),
        "I9",
        "%s stands at %s, not at %s".formatted(key, place.address(), item.path()));
  }

  private void spawned(Event.Spawned event) {
    String key = event.operation().name();
    boolean closes = event.parent() == Parent.CLOSES;
    if (children.containsKey(key) && !inPortions)
      require(
          event.digits().semaphore().open() - semaphore == children.get(key) - (closes ? 1 : 0),
          "I10",
          "%s asks for %d, and moves %d to %s"
              .formatted(key, children.get(key), semaphore, event.digits().semaphore()));
    if (!inPortions)
      require(open.containsKey(key) != closes, "I10", key + " ends with " + event.parent());
    require(event.digits().guid().workDone(), "I9", key + " has children before its work is done");
  }

  private void ended(Event.Ended event) {
    over = true;
    require(event.digits().guid().completionDone(), "I11", "its end completes nothing");
    if (graph.threshold() == 0)
      require(
          open.isEmpty() && untold.isEmpty() && asked.isEmpty(),
          "I11",
          "it ends before " + open.keySet() + untold.keySet() + asked.keySet());
  }

  private void compare(WorkflowState state) {
    TreeSet<String> found = new TreeSet<>();
    for (Operation one : state.openOperations())
      if (one.isObligation() && !one.id().isEngines()) found.add(one.id().name());
    TreeSet<String> wanted = new TreeSet<>(open.keySet());
    wanted.addAll(untold.keySet());
    require(found.equals(wanted), "I10", "open are " + found + ", not " + wanted);
    require(
        state.semaphore().open() == wanted.size(),
        "I10",
        state.semaphore() + " counts not " + wanted);
    require(wanted.size() > graph.threshold(), "I11", "its job is over, and goes on: " + wanted);
    for (Item item : open.values()) compare(item, state.operation(GraphProgram.id(item.key)).get());
    for (String key : untold.keySet()) {
      Operation one = state.operation(GraphProgram.id(key)).orElseThrow();
      require(one.phase() == OperationPhase.ANSWERED, "I9", key + " is " + one.phase());
      require(one.guid().workDone(), "I9", key + " is answered, and its work is not done");
      require(!one.guid().childrenSpawned(), "I9", key + " counts before anybody knows of it");
    }
  }

  private void compare(Item item, Operation operation) {
    String path = operation.place().address().path();
    require(path.equals(item.path()), "I9", item.key + " stands at " + path);
    int messages = entries.getOrDefault(item.key, 0);
    if (!item.node.word().kind.stepsInLeg1())
      require(
          operation.ledger().leg2Entries() == messages,
          "I9",
          "%s has %s after %d messages".formatted(item.key, operation.ledger(), messages));
  }
}
