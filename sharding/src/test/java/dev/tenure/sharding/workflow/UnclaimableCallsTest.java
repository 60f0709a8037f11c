package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.Batch;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Finding;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityCapabilityError;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** On a storage that cannot claim a call, none with a key is made, claimed or recorded. */
class UnclaimableCallsTest {
  private static final ActivityDefinition<String, String> KEYED =
      ActivityDefinition.of("keyed", String.class, String.class).keyed();
  private static final ActivityDefinition<String, String> QUEUED = KEYED.onQueue("elsewhere");
  private static final ActivityDefinition<String, String> PLAIN =
      ActivityDefinition.of("plain", String.class, String.class);

  /** A storage that reports as if it could compare nothing. */
  private static final class Incapable extends ForwardingStorage {
    private int claims;

    private Incapable(Storage inner) {
      super(inner);
    }

    @Override
    public StorageCapabilities capabilities() {
      StorageCapabilities real = super.capabilities();
      return new StorageCapabilities(
          false,
          real.atomicBatch(),
          real.readAfterWrite(),
          real.scanConsistency(),
          real.durable(),
          real.shared(),
          List.of(new Finding(Finding.Kind.UNCONDITIONAL, "it was made so by a test")));
    }

    @Override
    public List<CommitResult> commit(List<Commit> batch) {
      if (Batch.claimsCalls(batch)) claims++;
      return super.commit(batch);
    }
  }

  private final AtomicReference<Incapable> storage = new AtomicReference<>();
  private final List<String> called = new ArrayList<>();
  private final TestLoopNode node =
      new TestLoopNode(
          given -> {
            storage.set(new Incapable(given));
            return storage.get();
          },
          ActivityRegistration.of(
              PLAIN,
              (call, what) -> {
                called.add(what);
                return what;
              }));

  private Status status(String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).orElseThrow().status();
  }

  private void isRefused(ActivityDefinition<String, String> activity) {
    String id = activity.routing().isQueued() ? "queued" : "here";
    boolean[] mended = {false};
    node.begin(
        id,
        ctx -> {
          String first = ctx.activity(PLAIN, "before");
          return first + ctx.activity(mended[0] ? PLAIN : activity, "after");
        });
    assertThat(status(id)).isEqualTo(Status.INCIDENT);
    Incident incident =
        node.events(id).stream()
            .filter(Event.IncidentRaised.class::isInstance)
            .map(event -> ((Event.IncidentRaised) event).incident())
            .findFirst()
            .orElseThrow();
    assertThat(incident.kind()).isEqualTo("unclaimable-activity");
    assertThat(incident.message()).contains("keyed", "conditionalBatch", "without a key");
    assertThat(node.events(id)).filteredOn(Event.Scheduled.class::isInstance).hasSize(1);
    assertThat(node.events(id))
        .as("what came out before is on record")
        .filteredOn(Event.Completed.class::isInstance)
        .hasSize(1);
    assertThat(storage.get().claims).isZero();

    node.workflows().resolveIncident(WorkflowId.of(id), "look again");
    node.quiet();
    assertThat(status(id)).as("it is asked for again").isEqualTo(Status.INCIDENT);
    mended[0] = true;
    node.workflows().resolveIncident(WorkflowId.of(id), "mended");
    node.quiet();
    assertThat(node.result(id)).isEqualTo("\"beforeafter\"");
    assertThat(storage.get().claims).isZero();
  }

  @Test
  void oneThatNoNodeHasIsRefusedBeforeItIsScheduled() {
    isRefused(KEYED);
  }

  @Test
  void oneOfAQueueIsRefusedBeforeItIsScheduled() {
    isRefused(QUEUED);
  }

  @Test
  void aWorkflowWhoseFirstWishIsOneExistsAndStandsStill() {
    node.begin("first", ctx -> ctx.activity(KEYED, "x"));
    assertThat(status("first")).isEqualTo(Status.INCIDENT);
    assertThat(node.events("first")).noneMatch(Event.Scheduled.class::isInstance);
    node.workflows().terminate(WorkflowId.of("first"), "enough");
    node.quiet();
    assertThat(status("first")).isEqualTo(Status.TERMINATED);
  }

  @Test
  void aNodeThatHasTheCodeOfOneDoesNotStart() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage real = PostgresStorage.open(database.settings())) {
      AtomicReference<Storage> given = new AtomicReference<>(real);
      ForwardingStorage changes =
          new ForwardingStorage(real) {
            @Override
            public StorageCapabilities capabilities() {
              return given.get().capabilities();
            }
          };
      ClusterRuntime runtime =
          ClusterRuntime.start(
              ClusterSettings.node("127.0.0.1", 0, TestDatabase.IDENTITY)
                  .withTimes(Duration.ofMillis(250), Duration.ofSeconds(1))
                  .withoutExit(),
              changes,
              PipelineSettings.DEFAULT,
              InstantSource.system(),
              ConfigFactory.empty());
      try {
        given.set(new Incapable(real));
        assertThatThrownBy(
                () ->
                    WorkflowNode.start(
                        runtime,
                        WorkflowSettingsOfTests.usual(),
                        List.of(),
                        List.of(
                            ActivityRegistration.of(PLAIN, (call, what) -> what),
                            ActivityRegistration.of(KEYED, (call, what) -> what))))
            .isInstanceOf(ActivityCapabilityError.class)
            .hasMessageContaining("Activity keyed")
            .hasMessageContaining("conditionalBatch");
      } finally {
        TestNode.await(runtime.stop());
      }
    }
  }
}
