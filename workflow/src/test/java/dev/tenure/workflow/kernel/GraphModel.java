package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the contract says of a job, written from its document and from the messages that came: no
 * event and no ledger is looked at. The trigger opens the semaphore with the number of its
 * children; each message moves it by N − 1, or by N when its activity stays open; a cycle leaves it
 * to the message that enters its ancestor; the first message that takes it to the threshold closes
 * the job.
 */
final class GraphModel {
  static final class Item {
    final Graph.Node node;
    final Item parent;
    final String plane;
    final List<Integer> address;

    /** Leg2 entries: every message takes one. */
    int entries;

    /** The entry of its newest message; one of Leg1 has none. */
    int ordinal;

    /** How often its children were asked for. */
    int follows;

    int answers;

    Item(Graph.Node node, Item parent, String plane, List<Integer> address) {
      this.node = node;
      this.parent = parent;
      this.plane = plane;
      this.address = address;
      // What passes through and cycles has its first entry in advance.
      this.entries = node.kind() == ActivityKind.PIVOT ? 1 : 0;
    }

    OperationId id() {
      return GraphScript.id(node.name(), plane);
    }

    String path() {
      return address.stream().map(index -> "," + index).collect(Collectors.joining());
    }
  }

  private final Graph graph;
  final Map<OperationId, Item> open = new LinkedHashMap<>();
  long semaphore;
  boolean closed;
  int closings;
  private int activities;

  /** What messages and wishes of one commit do to the semaphore, in the order of the protocol. */
  private final List<Long> messages = new ArrayList<>();

  private final List<Long> wishes = new ArrayList<>();

  /** Those of this commit that the program comes to later. */
  private final Set<OperationId> untold = new HashSet<>();

  GraphModel(Graph graph) {
    this.graph = graph;
  }

  void start() {
    semaphore = graph.roots().size();
    if (semaphore <= graph.threshold()) close();
    ask(graph.roots(), null, "", List.of(0, 0));
    commit();
  }

  /** An attempt failed and another follows: that takes an entry, and changes nothing else. */
  void attemptFailed(OperationId id) {
    open.get(id).entries++;
  }

  /** A message came, and its program learns of it with this commit or with a later one. */
  void entered(OperationId id) {
    Item item = open.get(id);
    if (!item.node.kind().stepsInLeg1()) item.ordinal = ++item.entries;
  }

  /** The program learns of these messages, in their order, with whether they went well. */
  void told(Map<OperationId, Boolean> news) {
    untold.addAll(news.keySet());
    news.forEach(this::told);
    commit();
  }

  private void told(OperationId id, boolean went) {
    Item item = open.get(id);
    untold.remove(id);
    if (item == null) {
      // Another message of this commit had it given up: it is discharged with nothing.
      messages.add(-1L);
      return;
    }
    item.answers++;
    boolean stays = went && item.answers < item.node.answers();
    if (!stays) open.remove(id);
    int children = went ? childrenOf(item) : 0;
    messages.add(stays ? children : children - 1L);
    if (went) follow(item, item.ordinal);
  }

  private int childrenOf(Item item) {
    return activities >= 40 ? 0 : item.node.children().size();
  }

  private void follow(Item item, int ordinal) {
    item.node.abandons().ifPresent(this::abandon);
    item.follows++;
    if (activities >= 40) return;
    List<Integer> below = new ArrayList<>(item.address);
    below.set(below.size() - 1, Math.max(0, ordinal - 1));
    below.add(0);
    String plane = item.plane + '.' + item.node.name() + item.follows;
    ask(item.node.children(), item, plane, below);
  }

  private void abandon(String name) {
    for (Item one : List.copyOf(open.values()))
      if (one.node.name().equals(name)) {
        open.remove(one.id());
        if (!untold.contains(one.id())) wishes.add(-1L);
      }
  }

  private void ask(List<Graph.Node> nodes, Item parent, String plane, List<Integer> address) {
    for (Graph.Node node : nodes) {
      Item item = new Item(node, parent, plane, address);
      activities++;
      if (node.pivot().isPresent()) cycle(item, ancestor(item, node.pivot().get()));
      else if (!node.passes()) open.put(item.id(), item);
      else {
        wishes.add(childrenOf(item) - 1L);
        // Its first time it runs in the first plane.
        follow(item, 0);
      }
    }
  }

  private static Item ancestor(Item item, String name) {
    Item at = item.parent;
    while (!at.node.name().equals(name)) at = at.parent;
    return at;
  }

  private void cycle(Item cycle, Item pivot) {
    if (pivot.follows > cycle.node.turns()) {
      wishes.add(-1L);
      return;
    }
    pivot.entries = Math.max(pivot.entries, 1) + 1;
    wishes.add(childrenOf(pivot) - 1L);
    follow(pivot, pivot.entries);
  }

  private void commit() {
    messages.forEach(this::move);
    wishes.forEach(this::move);
    messages.clear();
    wishes.clear();
  }

  private void move(long delta) {
    semaphore += delta;
    if (!closed && semaphore == graph.threshold()) close();
  }

  private void close() {
    closed = true;
    closings++;
  }

  Optional<Item> any(int number) {
    if (open.isEmpty()) return Optional.empty();
    List<Item> all = List.copyOf(open.values());
    return Optional.of(all.get(number % all.size()));
  }

  static boolean isWait(Item item) {
    return item.node.spec().orElseThrow() instanceof OperationSpec.SignalWait;
  }
}
