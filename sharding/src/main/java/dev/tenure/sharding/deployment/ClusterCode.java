package dev.tenure.sharding.deployment;

import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.membership.DeployedCode.Versions;
import dev.tenure.workflow.WorkflowType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The code of the nodes that serve a cluster, as one of them knows it.
 *
 * @param self the node that knows it
 * @param nodes what each node has, by its address; a node that has not said so yet is not among
 *     them
 */
public record ClusterCode(String self, SortedMap<String, DeployedCode> nodes) {
  /** More nodes than that are counted in a text, not named. */
  static final int NAMED_MAX = 5;

  public ClusterCode {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
  }

  /** What a node knows that has heard of no other node. */
  public static ClusterCode alone(String self, DeployedCode own) {
    return new ClusterCode(self, new TreeMap<>(Map.of(self, own)));
  }

  /**
   * The version of a run that begins now and whose start names none:
   *
   * <ol>
   *   <li>the newest that every node can run that has the type at all, so that the run goes on
   *       wherever its shard moves;
   *   <li>if there is none, the newest that the owner's node has;
   *   <li>if that has no code of the type, the newest that any node has.
   * </ol>
   *
   * <p>Empty when no node has the type.
   */
  public OptionalInt versionOfStart(String type) {
    List<Versions> serving = versions(type);
    if (serving.isEmpty()) return OptionalInt.empty();
    TreeSet<Integer> registered = new TreeSet<>();
    for (Versions one : serving) registered.addAll(one.registered());
    for (int version : registered.descendingSet())
      if (serving.stream().allMatch(one -> one.run(version))) return OptionalInt.of(version);
    DeployedCode own = nodes.get(self);
    return OptionalInt.of(
        own != null && own.has(type)
            ? own.workflows().get(type).registered().last()
            : registered.last());
  }

  private List<Versions> versions(String type) {
    List<Versions> serving = new ArrayList<>();
    for (DeployedCode code : nodes.values())
      if (code.has(type)) serving.add(code.workflows().get(type));
    return serving;
  }

  /** Which nodes have that code, and which have other versions of it. */
  public String whereIs(WorkflowType type) {
    List<String> able = named(code -> code.runs(type.name(), type.version()));
    String here =
        able.isEmpty() ? "No node has " + type + "." : "%s is on %s.".formatted(type, list(able));
    TreeSet<Integer> others = new TreeSet<>();
    for (Versions one : versions(type.name())) others.addAll(one.registered());
    others.remove(type.version());
    List<String> elsewhere = new ArrayList<>();
    for (int version : others.descendingSet())
      elsewhere.add(
          "version %d on %s"
              .formatted(
                  version,
                  list(
                      named(
                          code ->
                              code.has(type.name())
                                  && code.workflows()
                                      .get(type.name())
                                      .registered()
                                      .contains(version)))));
    return elsewhere.isEmpty()
        ? here
        : here + " Of " + type.name() + " there is " + list(elsewhere) + ".";
  }

  /** Whether some node has the code of that activity. */
  public boolean hasActivity(String activity) {
    return nodes.values().stream().anyMatch(code -> code.activities().contains(activity));
  }

  /** Which nodes have the code of that activity. */
  public String whereIsActivity(String activity) {
    List<String> able = named(code -> code.activities().contains(activity));
    return able.isEmpty()
        ? "No node has activity \"%s\".".formatted(activity)
        : "Activity \"%s\" is on %s.".formatted(activity, list(able));
  }

  /** The node itself, as people know it. */
  public String here() {
    return shown(self);
  }

  private List<String> named(Predicate<DeployedCode> has) {
    List<String> all = new ArrayList<>();
    nodes.forEach(
        (node, code) -> {
          if (has.test(code)) all.add(shown(node));
        });
    return all;
  }

  /** Every node's system has the same name: only the host and the port tell them apart. */
  private static String shown(String node) {
    return node.substring(node.indexOf('@') + 1);
  }

  private static String list(Collection<String> all) {
    List<String> some = all.stream().limit(NAMED_MAX).toList();
    int more = all.size() - some.size();
    return String.join(", ", some) + (more == 0 ? "" : " and " + more + " more");
  }
}
