package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.access.Access;
import dev.tenure.http.gateway.Gateway;
import dev.tenure.http.gateway.GatewaySettings;
import dev.tenure.http.workflow.Engine;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskResult;
import dev.tenure.sharding.task.MergedTaskCalls;
import dev.tenure.sharding.task.Owners;
import dev.tenure.sharding.task.QueueHints;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.sharding.task.TaskSecrets;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A door over a desk that the test holds in its hands. */
class WorkerLimitsTest {
  private static final String TAKE = "{\"worker\":\"w\",\"waitSeconds\":60}";

  private final List<TaskResult> ended = new CopyOnWriteArrayList<>();
  private final AtomicReference<RuntimeException> deafOwner = new AtomicReference<>();
  private Served served;
  private TaskDesk desk;
  private Http http;

  @BeforeEach
  void start() {
    served = Served.start();
    Executor soon = task -> Thread.ofVirtual().start(task);
    Owners owners =
        new Owners() {
          @Override
          public void ended(TaskResult result) {
            if (deafOwner.get() != null) throw deafOwner.get();
            ended.add(result);
          }

          @Override
          public void look(TaskId task) {
            throw new IllegalStateException("no worker of this test is lost");
          }
        };
    desk =
        new TaskDesk(
            new TaskDesk.Setup(
                served.storage.tasks(),
                new MergedTaskCalls(served.storage.tasks(), new TaskSecrets(new SecureRandom())),
                owners,
                QueueHints.NONE,
                (pause, task) ->
                    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(task),
                System::nanoTime,
                soon,
                soon,
                UnaryOperator.identity(),
                new TaskDesk.Limits(2, 1)));
    URI uri =
        Served.await(
            Gateway.start(
                served.system(),
                GatewaySettings.of("127.0.0.1", 0, new Access.Open()),
                Engine.of(served.node.workflows(), served.storage, desk, () -> "id"),
                Optional.empty()));
    http = new Http(uri);
  }

  @AfterEach
  void stop() {
    desk.close();
    served.close();
  }

  private CompletableFuture<Http.Reply> poll(String queue) {
    int before = desk.waiting();
    CompletableFuture<Http.Reply> poll =
        CompletableFuture.supplyAsync(
            () -> http.post("/api/v1/queues/" + queue + "/tasks/take", TAKE),
            task -> Thread.ofVirtual().start(task));
    Await.until(() -> desk.waiting() > before || poll.isDone());
    return poll;
  }

  private static Http.Reply reply(CompletableFuture<Http.Reply> poll) {
    return poll.orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Test
  void pollsBeyondTheLimitsAreSentAwayWithTheLimitAndATimeToComeAgain() {
    CompletableFuture<Http.Reply> first = poll("mail");
    Http.Reply second = reply(poll("mail"));
    assertThat(second.status()).isEqualTo(503);
    assertThat(second.code()).isEqualTo("Overloaded");
    assertThat(second.text("limit")).isEqualTo("QUEUE_POLLS_MAX");
    assertThat(second.header("Retry-After")).isEqualTo("1");
    poll("print");
    assertThat(reply(poll("scan")).text("limit")).isEqualTo("POLLS_MAX");
    assertThat(first).isNotDone();
    // Whoever waits still gets what comes.
    served.storage.tasks().offer(Offers.on("mail", "w-1"));
    desk.offered(Set.of("mail"));
    assertThat(reply(first).body().get("tasks")).hasSize(1);
  }

  @Test
  void aNodeThatStopsAnswersThePollsThatWait() {
    CompletableFuture<Http.Reply> waiting = poll("mail");
    desk.leave();
    Http.Reply empty = reply(waiting);
    assertThat(empty.status()).isEqualTo(200);
    assertThat(empty.body().get("tasks")).isEmpty();
  }

  @Test
  void theOwnerIsToldOfAnOutcomeThatIsDurable() {
    served.storage.tasks().offer(Offers.on("mail", "w-1", Duration.ofMinutes(5)));
    String token = reply(poll("mail")).body().at("/tasks/0/token").asText();
    deafOwner.set(new IllegalStateException("no owner"));
    String report = "{\"tasks\":[{\"token\":\"%s\",\"result\":7}]}".formatted(token);
    // That it cannot be told is no matter of the worker's.
    assertThat(
            http.post("/api/v1/tasks/complete", report).body().at("/tasks/0/accepted").asBoolean())
        .isTrue();
    deafOwner.set(null);
    // A repetition tells it again.
    assertThat(
            http.post("/api/v1/tasks/complete", report).body().at("/tasks/0/accepted").asBoolean())
        .isTrue();
    assertThat(ended).hasSize(1);
    assertThat(ended.getFirst().id()).isEqualTo(Offers.id("w-1"));
  }
}
