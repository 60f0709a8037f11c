package dev.tenure.sharding.workflow;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.function.Supplier;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/** Two nodes of one cluster, in this process: what they tell each other still travels as bytes. */
final class TwoNodes implements AutoCloseable {
  final TestDatabase database = TestDatabase.migrated();
  final TestNode one;
  final TestNode two;

  TwoNodes(Supplier<TestNode.Plan> plan) {
    this(plan.get(), plan.get());
  }

  TwoNodes(TestNode.Plan first, TestNode.Plan second) {
    one = TestNode.start(database, first);
    two = TestNode.start(database, second);
    for (TestNode node : List.of(one, two))
      Await.until("both see both", TestNode.SOON, () -> members(node) == 2);
  }

  static long members(TestNode node) {
    long up = 0;
    for (var member : Cluster.get(node.runtime.system()).state().getMembers())
      if (member.status().equals(MemberStatus.up())) up++;
    return up;
  }

  /** An id that begins like this, and whose owner this node is. */
  String idOn(TestNode node, String name) {
    for (int i = 0; i < 200; i++) {
      String id = name + "-" + i;
      // A shard has a place from the first message on.
      node.workflows()
          .describe(WorkflowId.of(id))
          .handle((d, unknown) -> d)
          .toCompletableFuture()
          .join();
      if (owns(node, id)) return id;
    }
    throw new AssertionError("the node owns no shard");
  }

  static boolean owns(TestNode node, String id) {
    int shard = ShardOf.workflow(id, TestDatabase.IDENTITY.shards());
    return Tenures.of(node.runtime.system()).epochOf(shard).isPresent();
  }

  @Override
  public void close() {
    one.stop();
    two.stop();
    database.close();
  }
}
