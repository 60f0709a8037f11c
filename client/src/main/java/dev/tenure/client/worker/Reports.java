package dev.tenure.client.worker;

import dev.tenure.client.TaskAnswer;
import dev.tenure.client.TaskClient;
import dev.tenure.client.TaskReport;
import dev.tenure.client.TenureException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Sends how tasks came out: what ends while a request is under way makes up the next one. A report
 * is sent until the server has answered it, which recognises a repetition. The tasks that run bound
 * how many wait.
 */
final class Reports implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Worker.class.getName());

  /** Of the values in one request; a larger one goes alone. */
  private static final long CHARS_MAX = 256 * 1024;

  /** What the server cannot take of a result, it is told in place of it. */
  static final String REFUSED_RESULT = "ResultRefused";

  private record Waiting(TaskReport report, CompletableFuture<TaskAnswer> answer) {
    long chars() {
      return switch (report) {
        case TaskReport.Done done -> done.result().toString().length();
        case TaskReport.Failed failed -> failed.message().length() + failed.stack().length();
        case TaskReport.Alive alive -> 0;
        case TaskReport.Extended extended -> 0;
        case TaskReport.Returned returned -> 0;
      };
    }
  }

  private final TaskClient client;
  private final Backoff backoff;
  private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  Reports(TaskClient client, Backoff.Pauses pauses) {
    this.client = client;
    this.backoff = new Backoff(pauses);
    this.thread = Thread.ofVirtual().name("tenure-reports").start(this::run);
  }

  /** Completes with the server's answer; fails when the worker closes before there is one. */
  CompletableFuture<TaskAnswer> send(TaskReport report) {
    Waiting waiting = new Waiting(report, new CompletableFuture<>());
    queue.add(waiting);
    if (closed) abandon();
    return waiting.answer;
  }

  private void run() {
    try {
      while (true) {
        Map<Class<?>, List<Waiting>> byKind = new LinkedHashMap<>();
        for (Waiting one : next())
          byKind.computeIfAbsent(one.report.getClass(), kind -> new ArrayList<>()).add(one);
        for (List<Waiting> some : byKind.values()) deliver(some);
      }
    } catch (InterruptedException end) {
      LOG.log(Level.DEBUG, "reports end");
    } finally {
      closed = true;
      abandon();
    }
  }

  private List<Waiting> next() throws InterruptedException {
    List<Waiting> some = new ArrayList<>();
    Waiting first = queue.take();
    some.add(first);
    long chars = first.chars();
    while (some.size() < TaskClient.TASKS_MAX && chars < CHARS_MAX) {
      Waiting more = queue.poll();
      if (more == null) break;
      some.add(more);
      chars += more.chars();
    }
    return some;
  }

  private void deliver(List<Waiting> some) throws InterruptedException {
    while (true) {
      try {
        List<TaskAnswer> answers = client.report(some.stream().map(Waiting::report).toList());
        backoff.succeeded();
        for (int i = 0; i < some.size(); i++) some.get(i).answer.complete(answers.get(i));
        return;
      } catch (TenureException failure) {
        if (Thread.currentThread().isInterrupted()) {
          some.forEach(one -> one.answer.completeExceptionally(failure));
          throw new InterruptedException();
        }
        if (isRefusal(failure)) {
          refused(some, failure);
          return;
        }
        if (!backoff.hasFailed())
          LOG.log(Level.WARNING, "{0} reports are sent again: {1}", some.size(), failure);
        backoff.rest(failure);
      }
    }
  }

  /** Sent again, it would be refused again. */
  private static boolean isRefusal(TenureException failure) {
    return failure instanceof TenureException.InvalidRequest
        || failure instanceof TenureException.OverLimit;
  }

  private void refused(List<Waiting> some, TenureException refusal) throws InterruptedException {
    if (some.size() > 1) {
      // One of them is at fault: the others must not suffer for it.
      for (Waiting one : some) deliver(List.of(one));
      return;
    }
    Waiting one = some.getFirst();
    if (one.report instanceof TaskReport.Done done) {
      TaskReport instead =
          new TaskReport.Failed(
              done.token(),
              REFUSED_RESULT,
              "The server does not take the result. " + Failures.cut(refusal.getMessage()),
              Optional.of(refusal.code()),
              "",
              false,
              false);
      deliver(List.of(new Waiting(instead, one.answer)));
    } else one.answer.completeExceptionally(refusal);
  }

  private void abandon() {
    for (Waiting one = queue.poll(); one != null; one = queue.poll())
      one.answer.completeExceptionally(
          new IllegalStateException("The worker closed before the server answered."));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
