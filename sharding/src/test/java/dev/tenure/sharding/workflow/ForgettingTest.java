package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.sharding.lease.ClusterMembership;
import dev.tenure.sharding.process.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.junit.jupiter.api.Test;

/** Members that have somebody to forget wait for a lock, and give signs of life all the same. */
class ForgettingTest {
  private static final int SEVERAL = 3;

  private static TestNode.Plan plan() {
    return new TestNode.Plan().with(Coded.class, Coded::new);
  }

  @Test
  void whoWaitsToForgetAnotherMemberIsNotTakenForSilent() throws SQLException {
    try (TwoNodes cluster = new TwoNodes(ForgettingTest::plan);
        Connection person = cluster.database.owner();
        Statement lock = person.createStatement()) {
      TestNode leaves = TestNode.start(cluster.database, plan());
      List<TestNode> stay = List.of(cluster.one, cluster.two);
      for (TestNode node : stay)
        Await.until("all three are seen", TestNode.SOON, () -> TwoNodes.members(node) == 3);
      person.setAutoCommit(false);
      lock.execute("SELECT generation FROM cluster_generation FOR UPDATE");
      // Its row stays behind for the others: they learn of its end from the cluster.
      TestNode.await(leaves.runtime.stop());
      for (TestNode node : stay)
        Await.until("two are left", TestNode.SOON, () -> TwoNodes.members(node) == 2);

      Map<Holder, Long> before = cluster.one.storage.members().beats();
      for (TestNode node : stay) {
        Holder self = holder(node);
        Await.until(
            self.node() + " beats",
            TestNode.SOON,
            () -> cluster.one.storage.members().beats().get(self) >= before.get(self) + SEVERAL);
      }
      person.rollback();
      Await.until(
          "the row is gone",
          TestNode.SOON,
          () -> cluster.one.storage.members().beats().size() == stay.size());
      for (TestNode node : stay)
        assertThat(Cluster.get(node.runtime.system()).selfMember().status())
            .isEqualTo(MemberStatus.up());
      leaves.storage.close();
    }
  }

  private static Holder holder(TestNode node) {
    return ClusterMembership.holder(Cluster.get(node.runtime.system()).selfUniqueAddress());
  }
}
