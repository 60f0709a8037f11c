package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskResult;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A desk on a clock that the test turns, over queues in memory. */
abstract class DeskFixture {
  static final Duration LONG = Duration.ofSeconds(60);
  static final Duration MOMENT = Duration.ofMillis(10);
  static final String MAIL = "mail";

  final ManualTime time = new ManualTime();
  final PlainTasks tasks = new PlainTasks();
  final PlainCalls calls = new PlainCalls(tasks);
  final List<Set<String>> hints = new ArrayList<>();
  final List<TaskResult> ended = new ArrayList<>();
  final List<TaskId> looked = new ArrayList<>();
  RuntimeException deafOwner;
  final TaskDesk desk = desk(new TaskDesk.Limits(2_000, 1_500));

  TaskDesk desk(TaskDesk.Limits limits) {
    Owners owners =
        new Owners() {
          @Override
          public void ended(TaskResult result) {
            if (deafOwner != null) throw deafOwner;
            ended.add(result);
          }

          @Override
          public void look(TaskId task) {
            looked.add(task);
          }
        };
    TaskDesk made =
        new TaskDesk(
            new TaskDesk.Setup(
                tasks,
                calls,
                owners,
                hints::add,
                time,
                time,
                Runnable::run,
                Runnable::run,
                payload -> Payload.of(("<" + text(payload) + ">").getBytes(StandardCharsets.UTF_8)),
                limits));
    made.start();
    return made;
  }

  static String text(Payload payload) {
    return new String(payload.bytes(), StandardCharsets.UTF_8);
  }

  static Tasks.Poll poll(int max, String... activities) {
    return new Tasks.Poll("a worker", Set.of(activities), max);
  }

  WaitingPoll waits(int max, String... activities) {
    return desk.take(MAIL, poll(max, activities), LONG);
  }

  void offer(String... names) {
    for (String name : names) tasks.offer(PlainTasks.task(name, MAIL));
  }

  static boolean isOpen(WaitingPoll poll) {
    return !poll.tasks().toCompletableFuture().isDone();
  }

  static List<TakenTask> now(CompletionStage<List<TakenTask>> stage) {
    assertThat(stage).isCompleted();
    return stage.toCompletableFuture().join();
  }

  static List<String> names(WaitingPoll poll) {
    return now(poll.tasks()).stream().map(task -> task.offer().id().workflow().value()).toList();
  }

  TakenTask one(String name) {
    offer(name);
    return now(desk.take(MAIL, poll(1), Duration.ZERO).tasks()).getFirst();
  }
}
