package dev.tenure.bench.workflows;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * DBOS Java with its defaults, which are what its makers recommend: ten connections, virtual
 * threads, LISTEN and NOTIFY; on a database of its own on the same server.
 */
public final class Dbos implements AutoCloseable, SignalBatches.OneByOne {
  private static final String DATABASE = "dbos";
  private static final String TOPIC = "signal";

  /** It looks twenty times a second; by default once, which holds up its workflows. */
  private static final Queue QUEUE = new Queue("tasks").withPollingInterval(Duration.ofMillis(50));

  /** What it runs; the same work as Tenure's. */
  public interface Work {
    int steps(int steps);

    String await();

    int task();
  }

  private static final class Workflows implements Work {
    private final Dbos dbos;

    Workflows(Dbos dbos) {
      this.dbos = dbos;
    }

    @Workflow(name = "steps")
    @Override
    public int steps(int steps) {
      int sum = 0;
      for (int i = 0; i < steps; i++) {
        int number = i;
        sum += dbos.engine.runStep(() -> number, "step");
      }
      return sum;
    }

    @Workflow(name = "await")
    @Override
    public String await() {
      dbos.waiting.get(DBOS.workflowId()).complete(null);
      return dbos.engine.<String>recv(TOPIC, Engine.LIMIT).orElseThrow();
    }

    @Workflow(name = "task")
    @Override
    public int task() {
      int number = dbos.engine.runStep(() -> 1, "step");
      dbos.waiting.get(DBOS.workflowId()).complete(null);
      return number;
    }
  }

  private final BenchServer server;
  private final DBOS engine;
  private final Work work;
  private final Map<String, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
  private final Map<String, WorkflowHandle<String, RuntimeException>> handles =
      new ConcurrentHashMap<>();

  public Dbos(BenchServer server) {
    this.server = server;
    server.postgres().createDatabase(DATABASE);
    engine =
        new DBOS(
            DBOSConfig.defaults("bench")
                .withDatabaseUrl(server.postgres().url(DATABASE))
                .withDbUser("postgres")
                .withDbPassword("")
                .withMigrate(true));
    work = engine.registerProxy(Work.class, new Workflows(this));
    engine.registerQueue(QUEUE);
    engine.launch();
  }

  /** Keeps so many workflows going, each waited for by a thread of its own. */
  public Meter.Load flow(int steps, int inFlight, LongConsumer completed) {
    return new Flow(
        id ->
            engine.startWorkflow(() -> work.steps(steps), new StartWorkflowOptions(id)).getResult(),
        inFlight,
        completed);
  }

  /**
   * The same of workflows that wait in a queue until the engine takes them from there. What waits
   * for one is told by the workflow itself: a handle looks for the result once a second.
   */
  public Meter.Load queued(int inFlight, LongConsumer completed) {
    return new Flow(this::runQueued, inFlight, completed);
  }

  private void runQueued(String id) {
    CompletableFuture<Void> ran = new CompletableFuture<>();
    waiting.put(id, ran);
    engine.startWorkflow(work::task, new StartWorkflowOptions(id).withQueue(QUEUE));
    ran.join();
    waiting.remove(id);
  }

  private final class Flow implements Meter.Load {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final Consumer<String> one;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch running;
    private volatile boolean stopped;

    /**
     * @param one runs the workflow of this id to its end
     */
    Flow(Consumer<String> one, int inFlight, LongConsumer completed) {
      this.one = one;
      running = new CountDownLatch(inFlight);
      for (int i = 0; i < inFlight; i++) Thread.ofVirtual().start(() -> run(completed));
    }

    private void run(LongConsumer completed) {
      try {
        while (!stopped) {
          long start = System.nanoTime();
          one.accept("flow-" + NUMBER.incrementAndGet());
          completed.accept(System.nanoTime() - start);
        }
      } catch (RuntimeException e) {
        failure.compareAndSet(null, e);
      } finally {
        running.countDown();
      }
    }

    @Override
    public long transactions() {
      return server.transactions(DATABASE);
    }

    @Override
    public void stop() {
      stopped = true;
      Engine.until(() -> running.getCount() == 0, "the last workflows of DBOS end");
      if (failure.get() != null)
        throw new IllegalStateException("a workflow of DBOS failed", failure.get());
    }
  }

  @Override
  public CompletionStage<?> start(String id) {
    CompletableFuture<Void> waits = new CompletableFuture<>();
    waiting.put(id, waits);
    return onThread(
            () -> handles.put(id, engine.startWorkflow(work::await, new StartWorkflowOptions(id))))
        .thenCombine(waits, (handle, nothing) -> nothing);
  }

  @Override
  public CompletionStage<?> end(String id) {
    waiting.remove(id);
    WorkflowHandle<String, RuntimeException> handle = handles.remove(id);
    return onThread(handle::getResult);
  }

  @Override
  public CompletionStage<?> signal(String id) {
    return onThread(() -> engine.send(id, "go", TOPIC));
  }

  private static CompletableFuture<Void> onThread(Runnable task) {
    return CompletableFuture.runAsync(task, body -> Thread.ofVirtual().start(body));
  }

  @Override
  public void close() {
    engine.shutdown();
  }
}
