package dev.tenure.persistence.membership;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The code that one node has. It is fixed for as long as the node's process lives.
 *
 * @param workflows by the name of the workflow type
 * @param activities by name
 * @param kinds of program that it runs, by name. Of a kind whose programs are stored it has all.
 */
public record DeployedCode(
    SortedMap<String, Versions> workflows, SortedSet<String> activities, SortedSet<String> kinds) {
  /** Of a node that only hands requests on. */
  public static final DeployedCode NONE =
      new DeployedCode(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What a node has of one workflow type.
   *
   * @param registered the versions that have code of their own
   * @param compatible other versions whose runs that code goes on with
   */
  public record Versions(SortedSet<Integer> registered, SortedSet<Integer> compatible) {
    public Versions {
      registered = Collections.unmodifiableSortedSet(new TreeSet<>(registered));
      compatible = Collections.unmodifiableSortedSet(new TreeSet<>(compatible));
    }

    /** Whether the node can run a workflow of that version. */
    public boolean run(int version) {
      return registered.contains(version) || compatible.contains(version);
    }

    boolean runAllOf(Versions other) {
      return runAll(other.registered) && runAll(other.compatible);
    }

    private boolean runAll(Collection<Integer> versions) {
      return versions.stream().allMatch(this::run);
    }
  }

  public DeployedCode {
    workflows = Collections.unmodifiableSortedMap(new TreeMap<>(workflows));
    activities = Collections.unmodifiableSortedSet(new TreeSet<>(activities));
    kinds = Collections.unmodifiableSortedSet(new TreeSet<>(kinds));
  }

  /** Of a node that runs code only. */
  public DeployedCode(SortedMap<String, Versions> workflows, SortedSet<String> activities) {
    this(workflows, activities, new TreeSet<>());
  }

  public boolean has(String type) {
    return workflows.containsKey(type);
  }

  public boolean runs(String type, int version) {
    Versions versions = workflows.get(type);
    return versions != null && versions.run(version);
  }

  /** Whether a node with this code can do all that a node with the other code can. */
  public boolean doesAllOf(DeployedCode other) {
    for (Map.Entry<String, Versions> one : other.workflows.entrySet()) {
      Versions own = workflows.get(one.getKey());
      if (own == null || !own.runAllOf(one.getValue())) return false;
    }
    return activities.containsAll(other.activities) && kinds.containsAll(other.kinds);
  }

  /** As it is stored: JSON, to which later engines may add fields. */
  public String toJson() {
    ObjectNode all = JSON.createObjectNode();
    ObjectNode types = all.putObject("workflows");
    workflows.forEach(
        (name, versions) -> {
          ObjectNode one = types.putObject(name);
          versions.registered.forEach(version -> one.withArray("/versions").add(version));
          versions.compatible.forEach(version -> one.withArray("/compatibleWith").add(version));
        });
    activities.forEach(name -> all.withArray("/activities").add(name));
    kinds.forEach(name -> all.withArray("/kinds").add(name));
    return all.toString();
  }

  /**
   * @throws IllegalArgumentException when it is not what {@link #toJson} writes
   */
  public static DeployedCode ofJson(String json) {
    JsonNode all;
    try {
      all = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the code of a node is not JSON: " + json, e);
    }
    SortedMap<String, Versions> workflows = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : all.path("workflows").properties())
      workflows.put(
          one.getKey(),
          new Versions(
              numbers(one.getValue().path("versions")),
              numbers(one.getValue().path("compatibleWith"))));
    SortedSet<String> activities = new TreeSet<>();
    for (JsonNode name : all.path("activities")) activities.add(name.asText());
    SortedSet<String> kinds = new TreeSet<>();
    for (JsonNode name : all.path("kinds")) kinds.add(name.asText());
    return new DeployedCode(workflows, activities, kinds);
  }

  private static SortedSet<Integer> numbers(JsonNode list) {
    SortedSet<Integer> numbers = new TreeSet<>();
    for (JsonNode number : list) numbers.add(number.asInt());
    return numbers;
  }
}
