package dev.tenure.sharding.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.membership.DeployedCode.Versions;
import dev.tenure.workflow.WorkflowType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Of which version a start is, and which shards move, from the code that nodes have. */
class ClusterCodeTest {
  private static final DeployedCode V1 = shop(List.of(1), List.of());
  private static final DeployedCode V2 = shop(List.of(2), List.of());
  private static final DeployedCode V1_V2 = shop(List.of(1, 2), List.of());
  private static final DeployedCode V2_FOR_1 = shop(List.of(2), List.of(1));
  private static final DeployedCode OTHER =
      new DeployedCode(
          new TreeMap<>(Map.of("other", new Versions(new TreeSet<>(Set.of(7)), new TreeSet<>()))),
          new TreeSet<>());

  private static DeployedCode shop(Collection<Integer> registered, Collection<Integer> compatible) {
    return new DeployedCode(
        new TreeMap<>(
            Map.of("shop", new Versions(new TreeSet<>(registered), new TreeSet<>(compatible)))),
        new TreeSet<>());
  }

  private static DeployedCode with(DeployedCode code, String activity) {
    return new DeployedCode(code.workflows(), new TreeSet<>(Set.of(activity)));
  }

  private static OptionalInt version(DeployedCode self, DeployedCode... others) {
    return code(self, others).versionOfStart("shop");
  }

  private static ClusterCode code(DeployedCode self, DeployedCode... others) {
    TreeMap<String, DeployedCode> nodes = new TreeMap<>();
    nodes.put("self", self);
    for (int i = 0; i < others.length; i++) nodes.put("tenure@other:" + i, others[i]);
    return new ClusterCode("self", nodes);
  }

  @Test
  void theNewestVersionThatEveryNodeWithTheTypeCanRun() {
    assertThat(version(V1_V2, V1_V2)).hasValue(2);
    assertThat(version(V1, V1_V2)).hasValue(1);
    assertThat(version(V1_V2, V1)).hasValue(1);
    assertThat(version(V1_V2, V1_V2, V1)).hasValue(1);
    assertThat(version(V1_V2, V2)).hasValue(2);
    assertThat(version(V1_V2, OTHER, DeployedCode.NONE)).hasValue(2);
    assertThat(version(OTHER, V1_V2, V1)).hasValue(1);
  }

  @Test
  void codeThatGoesOnWithOldRunsAlsoBeginsThem() {
    assertThat(version(V1, V2_FOR_1)).hasValue(1);
    assertThat(version(V2_FOR_1, V1)).hasValue(1);
    assertThat(version(V2_FOR_1, V2_FOR_1)).hasValue(2);
  }

  @Test
  void whereNoVersionFitsAllItIsTheOwnersOrElseTheNewest() {
    assertThat(version(V1, V2)).hasValue(1);
    assertThat(version(V2, V1)).hasValue(2);
    assertThat(version(OTHER, V1, V2)).hasValue(2);
  }

  @Test
  void ofATypeThatNoNodeHasThereIsNoVersion() {
    assertThat(version(OTHER, DeployedCode.NONE)).isEmpty();
  }

  @Test
  void aTextSaysWhichNodesHaveWhat() {
    ClusterCode code = code(V1, V1_V2);
    assertThat(code.whereIs(new WorkflowType("shop", 2)))
        .isEqualTo("shop v2 is on other:0. Of shop there is version 1 on self, other:0.");
    assertThat(code.whereIs(new WorkflowType("shop", 3)))
        .isEqualTo(
            "No node has shop v3. Of shop there is version 2 on other:0, version 1 on self,"
                + " other:0.");
    assertThat(code.whereIs(new WorkflowType("bank", 1))).isEqualTo("No node has bank v1.");
    assertThat(code(with(V1, "pay")).whereIsActivity("pay"))
        .isEqualTo("Activity \"pay\" is on self.");
    assertThat(code.whereIsActivity("pay")).isEqualTo("No node has activity \"pay\".");
  }

  // --- shards

  private static Map<Integer, String> moves(
      Map<String, DeployedCode> nodes, Deployments.Blocked... blocked) {
    TreeMap<String, Collection<Integer>> placed = new TreeMap<>();
    int shard = 0;
    for (String node : new TreeMap<>(nodes).keySet()) placed.put(node, List.of(shard++, shard++));
    return ShardMoves.decide(
        new ClusterCode("a", new TreeMap<>(nodes)), placed, List.of(blocked), 20);
  }

  private static Deployments.Blocked shop(int shard, int version) {
    return new Deployments.Blocked(shard, new WorkflowType("shop", version));
  }

  @Test
  void aShardOfAStoredProgramGoesToANodeThatRunsItsKindOrHasItsActivity() {
    DeployedCode kind =
        new DeployedCode(V1.workflows(), V1.activities(), new TreeSet<>(Set.of("lists")));
    Deployments.Blocked stored = new Deployments.Blocked(0, new WorkflowType("a list", 1));
    assertThat(moves(Map.of("a", V1, "b", kind), stored)).isEqualTo(Map.of(0, "b"));
    assertThat(moves(Map.of("a", V1, "b", with(V1, "pay")), stored)).isEqualTo(Map.of(0, "b"));
    assertThat(moves(Map.of("a", kind, "b", with(V1, "pay")), stored)).isEmpty();
    assertThat(moves(Map.of("a", kind, "b", kind), stored)).isEmpty();
  }

  @Test
  void aShardGoesToANodeThatCanDoMore() {
    assertThat(moves(Map.of("a", V1, "b", V1_V2), shop(0, 2), shop(1, 2)))
        .isEqualTo(Map.of(0, "b", 1, "b"));
    assertThat(moves(Map.of("a", V1, "b", V2_FOR_1), shop(0, 2))).isEqualTo(Map.of(0, "b"));
    assertThat(moves(Map.of("a", DeployedCode.NONE, "b", V1), shop(0, 0)))
        .isEqualTo(Map.of(0, "b"));
    assertThat(moves(Map.of("a", V1, "b", with(V1, "pay")), shop(0, 1)))
        .as("an activity is missing")
        .isEqualTo(Map.of(0, "b"));
  }

  @Test
  void aShardStaysWhereItsNodeHasCodeThatTheOtherLacks() {
    assertThat(moves(Map.of("a", V1, "b", V2), shop(0, 2))).isEmpty();
    assertThat(moves(Map.of("a", OTHER, "b", V1_V2), shop(0, 2))).isEmpty();
    assertThat(moves(Map.of("a", with(V1, "pay"), "b", V1_V2), shop(0, 2))).isEmpty();
  }

  @Test
  void aShardStaysWhereNobodyHasWhatItWaitsFor() {
    assertThat(moves(Map.of("a", V1, "b", V1_V2), shop(0, 3))).isEmpty();
    assertThat(moves(Map.of("a", V1, "b", V1), shop(0, 1))).isEmpty();
    assertThat(moves(Map.of("a", V1_V2, "b", V1), shop(0, 2))).isEmpty();
    assertThat(moves(Map.of("a", V1, "b", V1_V2), shop(99, 2))).as("it has no node").isEmpty();
  }

  @Test
  void oneNewNodeIsNotGivenTheWorkOfAllOthers() {
    Deployments.Blocked[] everywhere = new Deployments.Blocked[8];
    for (int shard = 0; shard < 8; shard++) everywhere[shard] = shop(shard, 2);
    assertThat(moves(Map.of("a", V1, "b", V1, "c", V1, "d", V1_V2), everywhere))
        .as("it has two, and the average is two")
        .hasSize(2);
  }
}
