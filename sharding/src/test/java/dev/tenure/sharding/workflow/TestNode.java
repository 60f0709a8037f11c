package dev.tenure.sharding.workflow;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.OtherEngine;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.activity.AttemptClocks;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowFactory;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** One node in this process, over a database of its own. */
public final class TestNode implements AutoCloseable {
  public static final Duration SOON = Duration.ofSeconds(60);
  private static final PayloadCodec CODEC = PayloadCodec.standard();

  /** What a test wants to run. */
  public static final class Plan {
    final List<WorkflowRegistration<?>> types = new ArrayList<>();
    final List<ActivityRegistration<?, ?>> activities = new ArrayList<>();
    UnaryOperator<WorkflowSettings> settings = given -> given;
    Function<Storage, Storage> storage = given -> given;
    Config configured = ConfigFactory.empty();
    PipelineSettings pipeline = PipelineSettings.DEFAULT;
    InstantSource machine = InstantSource.system();
    Optional<AttemptClocks> clocks = Optional.empty();
    EngineBuild engine = EngineBuild.CURRENT;

    public <W> Plan with(Class<W> type, WorkflowFactory<? extends W> factory) {
      types.add(WorkflowRegistration.of(type, factory));
      return this;
    }

    public Plan type(WorkflowRegistration<?> type) {
      types.add(type);
      return this;
    }

    public Plan activity(ActivityRegistration<?, ?> activity) {
      return with(activity);
    }

    Plan with(ActivityRegistration<?, ?> activity) {
      activities.add(activity);
      return this;
    }

    public Plan settings(UnaryOperator<WorkflowSettings> change) {
      settings = change;
      return this;
    }

    public Plan configured(Config config) {
      configured = config;
      return this;
    }

    Plan pipeline(PipelineSettings wanted) {
      pipeline = wanted;
      return this;
    }

    /** The clock that people set. */
    public Plan machine(InstantSource clock) {
      machine = clock;
      return this;
    }

    /** The release that the node is of. */
    public Plan engine(EngineBuild release) {
      engine = release;
      return this;
    }

    Plan clocks(AttemptClocks ofAttempts) {
      clocks = Optional.of(ofAttempts);
      return this;
    }

    public Plan storage(Function<Storage, Storage> wrapper) {
      storage = wrapper;
      return this;
    }
  }

  final TestDatabase database;
  private final boolean ownsDatabase;
  public final Storage storage;
  public final ClusterRuntime runtime;
  public final WorkflowNode node;

  private TestNode(TestDatabase database, boolean ownsDatabase, Plan plan) {
    this.database = database;
    this.ownsDatabase = ownsDatabase;
    this.storage =
        plan.storage.apply(PostgresStorage.open(OtherEngine.of(database.settings(), plan.engine)));
    ClusterSettings cluster =
        ClusterSettings.node("127.0.0.1", 0, TestDatabase.IDENTITY)
            .withTimes(Duration.ofMillis(250), Duration.ofSeconds(1))
            .withAppVersion(plan.engine.version())
            .withoutExit();
    this.runtime =
        ClusterRuntime.start(cluster, storage, plan.pipeline, plan.machine, plan.configured);
    WorkflowSettings settings = plan.settings.apply(WorkflowSettingsOfTests.with(runtime.clock()));
    this.node =
        WorkflowNode.start(
            runtime,
            settings,
            plan.types,
            plan.activities,
            ExecutionGate.FREE,
            plan.clocks.orElseGet(
                () ->
                    new AttemptClocks(
                        System::nanoTime, settings.clock(), runtime.clock().machine())));
    await(runtime.up());
  }

  public static TestNode start(Plan plan) {
    return new TestNode(TestDatabase.migrated(), true, plan);
  }

  /** Over a database that outlives it. */
  public static TestNode start(TestDatabase database, Plan plan) {
    return new TestNode(database, false, plan);
  }

  public Workflows workflows() {
    return node.workflows();
  }

  public static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  public static Payload json(Object value) {
    return value == null ? Payload.NONE : CODEC.write(value, value.getClass(), "the test's value");
  }

  static String text(Payload payload) {
    return PayloadCodec.jsonOf(payload);
  }

  static Payload raw(String json) {
    return Payload.of(json.getBytes(StandardCharsets.UTF_8));
  }

  StartResult begin(String id, String type, Object input) {
    return await(workflows().start(StartRequest.of(id, type, json(input))));
  }

  public Workflows.Ended end(String id) {
    return await(workflows().result(WorkflowId.of(id), SOON.minusSeconds(5)))
        .orElseThrow(() -> new AssertionError(id + " did not end: " + describe(id)));
  }

  /** Starts it, and waits for the JSON of its result. */
  public String run(String id, String type, Object input) {
    begin(id, type, input);
    return result(id);
  }

  public String result(String id) {
    Workflows.Ended ended = end(id);
    if (ended.outcome() instanceof Outcome.Succeeded(Payload value)) return text(value);
    throw new AssertionError(id + " came out as " + ended);
  }

  public Description describe(String id) {
    return await(workflows().describe(WorkflowId.of(id)));
  }

  List<Event> events(String id) {
    return await(workflows().history(WorkflowId.of(id), 1, 1_000)).stream()
        .flatMap(step -> step.events().stream())
        .toList();
  }

  int commits(String id) {
    return await(workflows().history(WorkflowId.of(id), 1, 1_000)).size();
  }

  /** Ends without handing anything over, as far as one can within a process. */
  void stop() {
    await(runtime.stop());
    storage.close();
  }

  @Override
  public void close() {
    stop();
    if (ownsDatabase) database.close();
  }
}
