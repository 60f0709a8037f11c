package dev.tenure.persistence.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import dev.tenure.workflow.operation.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A long queue while the database dies and comes back: workers get every task, and of each exactly
 * one token is good for an outcome.
 */
class QueueThroughRestartTest {
  private static final int TASKS = 100_000;
  private static final int WORKERS = 6;
  private static final int POLLS_TOGETHER = 5;
  private static final String QUEUE = "long";
  private static final Duration VISIBILITY = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static Path folder;
  private static LocalPostgres server;
  private static PostgresStorage storage;

  private final AtomicLong secrets = new AtomicLong();
  private final AtomicInteger failures = new AtomicInteger();

  /** By task: how many of its tokens were good for an outcome. */
  private final Map<TaskId, AtomicInteger> recorded = new ConcurrentHashMap<>();

  private final AtomicInteger twice = new AtomicInteger();

  @BeforeAll
  static void start() {
    folder = TestDatabase.temporaryFolder("long-queue");
    server = LocalPostgres.start(folder);
    storage = PostgresStorage.open(TestDatabase.settings(server.url()));
    storage.prepare(TestDatabase.IDENTITY);
  }

  @AfterAll
  static void stop() {
    storage.close();
    server.stop();
    TestDatabase.delete(folder);
  }

  /** One is offered as an owner does, and the others are copies of its row. */
  private static void offerAll() throws Exception {
    storage
        .tasks()
        .offer(
            new TaskOffer(
                new TaskId(WorkflowId.of("order"), "run/send#0"),
                1,
                1,
                "send",
                Optional.empty(),
                true,
                new Queueing(QUEUE, 0, "", VISIBILITY, "", Optional.empty(), Optional.empty()),
                Payload.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    try (Connection c = server.connect(LocalPostgres.DATABASE, LocalPostgres.OWNER);
        Statement s = c.createStatement()) {
      int made =
          s.executeUpdate(
              """
              INSERT INTO task (workflow_id, operation_id, shard, attempt, activity, repeatable,
                queue, urgency, fairness_key, resource, scope, visibility_us, input)
              SELECT t.workflow_id || mod(n, 1000), 'run/send#' || n, t.shard, t.attempt, t.activity,
                t.repeatable, t.queue, t.urgency, t.fairness_key, t.resource, t.scope,
                t.visibility_us, t.input
              FROM task t, generate_series(1, %d) n
              """
                  .formatted(TASKS - 1));
      assertThat(made).isEqualTo(TASKS - 1);
      s.execute("ANALYZE task");
    }
  }

  private static boolean isOver(long since) {
    return System.nanoTime() - since > PATIENCE.toNanos();
  }

  /** Takes and reports until every task has an outcome. */
  private Integer work(String name, long since) {
    List<Tasks.Poll> polls = new ArrayList<>();
    for (int i = 0; i < POLLS_TOGETHER; i++)
      polls.add(new Tasks.Poll(name + "-" + i, Set.of(), Tasks.TAKE_MAX));
    int taken = 0;
    while (recorded.size() < TASKS && !isOver(since)) {
      List<Report> reports = new ArrayList<>();
      try {
        for (List<TakenTask> some :
            storage.tasks().take(QUEUE, polls, () -> "secret-" + secrets.incrementAndGet()))
          for (TakenTask task : some) reports.add(new Report.Ended(task.token(), Outcome.DONE));
      } catch (StorageException away) {
        // What was taken and not told comes back when its time is over.
        failed();
        continue;
      }
      taken += reports.size();
      if (reports.isEmpty()) LockSupport.parkNanos(PAUSE.toNanos());
      else report(reports, since);
    }
    return taken;
  }

  private void failed() {
    failures.incrementAndGet();
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  /** The same reports again, until they are heard. */
  private void report(List<Report> reports, long since) {
    while (!isOver(since))
      try {
        List<Heard> heard = storage.tasks().hear(reports);
        for (int i = 0; i < heard.size(); i++)
          if (heard.get(i) instanceof Heard.Recorded
              && recorded
                      .computeIfAbsent(reports.get(i).token().id(), any -> new AtomicInteger())
                      .incrementAndGet()
                  > 1) twice.incrementAndGet();
        return;
      } catch (StorageException away) {
        failed();
      }
  }

  private Integer looksForLostWorkers(long since) {
    int found = 0;
    while (recorded.size() < TASKS && !isOver(since))
      try {
        found += storage.tasks().expire(1_000).again().size();
        LockSupport.parkNanos(10 * PAUSE.toNanos());
      } catch (StorageException away) {
        failed();
      }
    return found;
  }

  private Integer killsTheServer(long since) {
    while (recorded.size() < TASKS / 4 && !isOver(since)) LockSupport.parkNanos(PAUSE.toNanos());
    server.kill();
    int before = recorded.size();
    server.start();
    return before;
  }

  @Test
  void everyTaskIsDeliveredAndHasOneOutcomeWhenTheDatabaseIsKilledBetween() throws Exception {
    offerAll();
    long since = System.nanoTime();
    List<Callable<Integer>> all = new ArrayList<>();
    all.add(() -> killsTheServer(since));
    all.add(() -> looksForLostWorkers(since));
    for (int i = 0; i < WORKERS; i++) {
      String name = "worker-" + i;
      all.add(() -> work(name, since));
    }
    List<Integer> counts = Together.run(all);
    System.out.printf(
        "100 000 tasks through a killed database: %d s, %d done before, %d taken, %d calls"
            + " failed%n",
        Duration.ofNanos(System.nanoTime() - since).toSeconds(),
        counts.getFirst(),
        counts.stream().skip(2).mapToInt(one -> one).sum(),
        failures.get());
    assertThat(counts.getFirst()).as("done before the server died").isLessThan(TASKS);
    assertThat(failures.get()).as("the workers noticed").isPositive();
    assertThat(recorded).hasSize(TASKS);
    assertThat(twice).as("tasks of which two tokens were good").hasValue(0);
    assertThat(states()).isEqualTo("done " + TASKS);
    assertThat(storage.tasks().view(QUEUE, 1).waiting()).isZero();
  }

  private static String states() throws Exception {
    try (Connection c = server.connect(LocalPostgres.DATABASE, LocalPostgres.OWNER);
        Statement s = c.createStatement();
        ResultSet row =
            s.executeQuery(
                "SELECT string_agg(state || ' ' || n, ', ') FROM"
                    + " (SELECT state, count(*) AS n FROM task GROUP BY state) counted")) {
      row.next();
      return row.getString(1);
    }
  }
}
