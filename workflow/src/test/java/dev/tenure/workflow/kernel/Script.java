package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A program as a tree of parts: small enough to be obviously deterministic. */
final class Script implements Program {
  sealed interface Part {
    /** One operation. A failure of it ends the workflow. */
    record Op(String name, OperationSpec spec) implements Part {}

    /** One operation that may fail. */
    record Try(String name, OperationSpec spec) implements Part {}

    record Seq(List<Part> parts) implements Part {}

    /** All of them at once. */
    record Par(List<Part> parts) implements Part {}

    /** The first that is done; the others are abandoned. */
    record Race(List<Part> parts) implements Part {}

    record Attributes(Map<String, Attribute> changes) implements Part {}

    /** Waits until that child is known to exist, or came out. */
    record AwaitStarted(OperationId child) implements Part {}

    /** Answers the oldest update that waits, or waits for one. */
    record AnswerUpdate() implements Part {}
  }

  static Part op(String name, OperationSpec spec) {
    return new Part.Op(name, spec);
  }

  static Part seq(Part... parts) {
    return new Part.Seq(List.of(parts));
  }

  static Part par(Part... parts) {
    return new Part.Par(List.of(parts));
  }

  static Part race(Part... parts) {
    return new Part.Race(List.of(parts));
  }

  static Payload text(String value) {
    return Payload.of(value.getBytes(StandardCharsets.UTF_8));
  }

  static String text(Payload payload) {
    return new String(payload.bytes(), StandardCharsets.UTF_8);
  }

  private final Part main;

  /** How often it continues as new before it ends; its input counts. */
  private final int renewals;

  private Payload input = Payload.NONE;
  private final Optional<Part> onCancel;
  private final List<Wish> wishes = new ArrayList<>();
  private final Map<OperationId, Run> waiting = new LinkedHashMap<>();
  private final Map<OperationId, Outcome> early = new HashMap<>();
  private final Set<OperationId> abandoned = new HashSet<>();
  private final Map<String, Integer> occurrences = new HashMap<>();
  private final List<String> updates = new ArrayList<>();
  private final List<Run> awaitingUpdate = new ArrayList<>();
  private final Set<OperationId> startedChildren = new HashSet<>();
  private final List<Run> awaitingStart = new ArrayList<>();
  private final StringBuilder trace = new StringBuilder();
  private Run root;
  private Optional<String> cancelled = Optional.empty();
  private boolean ended;

  Script(Part main) {
    this(main, Optional.empty());
  }

  Script(Part main, Optional<Part> onCancel) {
    this(main, onCancel, 0);
  }

  Script(Part main, Optional<Part> onCancel, int renewals) {
    this.renewals = renewals;
    this.main = main;
    this.onCancel = onCancel;
  }

  @Override
  public Wishes advance(List<News> news) {
    int at = 0;
    for (; at < news.size() && !ended; at++) {
      handle(news.get(at));
      finishWhenDone();
    }
    Wishes answer = new Wishes(wishes).then(givenBack(news.subList(at, news.size())));
    wishes.clear();
    return answer;
  }

  /** The signals that came after its end. */
  static Wishes givenBack(List<News> late) {
    List<Wish> back = new ArrayList<>();
    for (News one : late)
      if (one instanceof News.Completed done)
        done.signal().ifPresent(signal -> back.add(new Wish.GiveBack(done.operation(), signal)));
    return new Wishes(back);
  }

  private void handle(News news) {
    switch (news) {
      case News.Started started -> {
        input = started.start().input();
        root = new Run(main, null);
      }
      case News.Completed done -> completed(done);
      case News.ChildStarted(var at, OperationId id) -> childStarted(id);
      case News.SignalNotReceived signal -> {}
      case News.CancelRequested(var at, String reason) -> {
        cancelled = Optional.of(reason);
        root.cancel();
        root = onCancel.map(part -> new Run(part, null)).orElse(null);
      }
      case News.UpdateArrived(var at, String id, String name, Payload payload) -> {
        if (text(payload).equals("bad"))
          wishes.add(new Wish.RejectUpdate(id, Failure.permanent("Rejected", "bad")));
        else {
          updates.add(id);
          answerUpdates();
        }
      }
    }
  }

  private void childStarted(OperationId id) {
    startedChildren.add(id);
    for (Run run : List.copyOf(awaitingStart)) run.goesOnWhenStarted();
  }

  private void completed(News.Completed news) {
    OperationId id = news.operation();
    childStarted(id);
    Run run = waiting.remove(id);
    if (run != null) run.completed(news.outcome());
    else if (abandoned.contains(id) && news.signal().isPresent())
      wishes.add(new Wish.GiveBack(id, news.signal().get()));
    else early.put(id, news.outcome());
  }

  private void answerUpdates() {
    while (!updates.isEmpty() && !awaitingUpdate.isEmpty()) {
      wishes.add(new Wish.AnswerUpdate(updates.removeFirst(), new Outcome.Succeeded(text("yes"))));
      awaitingUpdate.removeFirst().finish();
    }
  }

  private void finishWhenDone() {
    if (ended || (root != null && !root.done)) return;
    if (input.size() < renewals && cancelled.isEmpty()) {
      wishes.add(new Wish.ContinueAsNew(text(text(input) + "+"), Optional.empty()));
      ended = true;
      return;
    }
    end(
        cancelled
            .<Outcome>map(Outcome.Cancelled::new)
            .orElseGet(() -> new Outcome.Succeeded(text(trace.toString()))));
  }

  private void end(Outcome outcome) {
    if (!ended) wishes.add(new Wish.End(outcome));
    ended = true;
  }

  /** One part as it runs. */
  private final class Run {
    private final Part part;
    private final Run parent;
    private final List<Run> children = new ArrayList<>();
    private OperationId id;
    private int next;
    private boolean starting;
    private boolean done;

    Run(Part part, Run parent) {
      this.part = part;
      this.parent = parent;
      if (parent != null) parent.children.add(this);
      start();
    }

    private void start() {
      switch (part) {
        case Part.Op(String name, OperationSpec spec) -> schedule(name, spec);
        case Part.Try(String name, OperationSpec spec) -> schedule(name, spec);
        case Part.Seq seq -> nextOfSequence();
        case Part.Par(List<Part> parts) -> {
          for (Part each : parts) if (!ended) new Run(each, this);
          childDone();
        }
        case Part.Race(List<Part> parts) -> {
          for (Part each : parts) {
            if (ended || done) break;
            new Run(each, this);
            childDone();
          }
        }
        case Part.Attributes(Map<String, Attribute> changes) -> {
          wishes.add(new Wish.SetAttributes(changes));
          finish();
        }
        case Part.AwaitStarted wait -> {
          awaitingStart.add(this);
          goesOnWhenStarted();
        }
        case Part.AnswerUpdate answer -> {
          awaitingUpdate.add(this);
          answerUpdates();
        }
      }
    }

    private void schedule(String name, OperationSpec spec) {
      id = OperationId.of("", name, occurrences.merge(name, 1, Integer::sum));
      wishes.add(new Wish.Schedule(id, spec));
      waiting.put(id, this);
      // A value is known at once; in a replay it comes as news, which finds nobody and is dropped.
      if (spec instanceof OperationSpec.Value(Payload value)) {
        waiting.remove(id);
        completed(new Outcome.Succeeded(value));
      } else if (early.containsKey(id)) {
        waiting.remove(id);
        completed(early.remove(id));
      }
    }

    private void goesOnWhenStarted() {
      if (!startedChildren.contains(((Part.AwaitStarted) part).child())) return;
      awaitingStart.remove(this);
      finish();
    }

    void completed(Outcome outcome) {
      if (done) return;
      trace.append(id).append('=').append(describe(outcome)).append(';');
      if (part instanceof Part.Op && outcome instanceof Outcome.Failed failed) end(failed);
      else finish();
    }

    private static String describe(Outcome outcome) {
      return outcome instanceof Outcome.Succeeded(Payload value)
          ? text(value)
          : outcome.getClass().getSimpleName();
    }

    private void nextOfSequence() {
      List<Part> parts = ((Part.Seq) part).parts();
      starting = true;
      while (!ended && next < parts.size())
        if (!new Run(parts.get(next++), this).done) {
          starting = false;
          return;
        }
      if (!ended) finish();
    }

    void finish() {
      if (done) return;
      done = true;
      if (parent != null) parent.childDone();
    }

    private void childDone() {
      if (done || ended) return;
      switch (part) {
        case Part.Seq(List<Part> parts) -> {
          // While the sequence starts its parts, its own loop goes on by itself.
          if (!starting) nextOfSequence();
        }
        case Part.Par(List<Part> parts) -> {
          if (children.size() == parts.size() && children.stream().allMatch(child -> child.done))
            finish();
        }
        case Part.Race race -> {
          if (children.stream().anyMatch(child -> child.done)) {
            for (Run child : children) child.cancel();
            finish();
          }
        }
        case Part.Op op -> throw new IllegalStateException();
        case Part.Try op -> throw new IllegalStateException();
        case Part.Attributes op -> throw new IllegalStateException();
        case Part.AwaitStarted op -> throw new IllegalStateException();
        case Part.AnswerUpdate op -> throw new IllegalStateException();
      }
    }

    void cancel() {
      if (done) return;
      for (Run child : children) child.cancel();
      if (id != null && waiting.remove(id) != null) {
        abandoned.add(id);
        wishes.add(new Wish.Abandon(id));
      }
      awaitingUpdate.remove(this);
      awaitingStart.remove(this);
      done = true;
    }
  }
}
