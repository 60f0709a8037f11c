package dev.tenure.simulation;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.RememberingProgram;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A kind of program for simulated lives: a machine of states. In each it waits for one thing, and
 * goes to a state by what becomes of that; a state that it has been in too often is passed by.
 *
 * <pre>
 * activity 2 4
 * signal 1 0
 * timer 2 2
 * again 4 2
 * deep 5 5
 * </pre>
 *
 * <p>{@code again} continues as new: with the version that comes second, or with the same one when
 * that is 0. {@code deep} calls itself without end when its run comes to it for the first time.
 */
final class Machines implements StoredKind {
  static final ProgramKind KIND = new ProgramKind("machines");
  static final String SIGNAL = "x";

  private static final int VERSIONS = 3;
  private static final int RUNS_MAX = 3;
  private static final int VISITS_MAX = 3;
  private static final String[] WORDS = {
    "activity", "signal", "timer", "activities", "again", "deep"
  };
  private static final Duration[] SPANS = {
    Duration.ZERO, Duration.ofMillis(10), Duration.ofSeconds(3), Duration.ofHours(2)
  };

  private final boolean forgets;

  /** How often a machine went on from what another remembered. */
  int resumed;

  /** How often one was begun: what a machine that forgets cannot tell from what it did. */
  private int begun;

  /** Where runs called themselves without end: a person has mended that since. */
  private final Set<String> mended = new HashSet<>();

  /** How often a machine was compared with the version that its start says. */
  int compared;

  Machines() {
    this(false);
  }

  /**
   * @param forgets whether a machine that is made anew asks for other things: a planted bug
   */
  Machines(boolean forgets) {
    this.forgets = forgets;
  }

  /**
   * @param well where it goes when what it waited for came out well
   * @param ill where it goes otherwise
   */
  private record State(String word, int well, int ill) {}

  @Override
  public void begins() {
    mended.clear();
  }

  @Override
  public int versions() {
    return VERSIONS;
  }

  /** A machine names its version in all that it asks for. */
  @Override
  public void committed(
      String id, WorkflowType type, List<Event> events, WorkflowState state, boolean inPortions) {
    for (Operation one : state.openOperations()) {
      if (one.id().isEngines()) continue;
      compared++;
      Violation.require(
          one.id().value().contains(mark(type)),
          "I3",
          id + " is " + type + " and asked for " + one);
    }
  }

  private static String mark(WorkflowType type) {
    return "-v" + type.version() + "-";
  }

  @Override
  public Definition drawn(WorkflowType type, SplittableRandom random) {
    int states = 1 + random.nextInt(6);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < states; i++)
      lines.add(
          "%s %d %d"
              .formatted(
                  WORDS[random.nextInt(WORDS.length)],
                  // Mostly on, and sometimes back.
                  random.nextInt(4) == 0 ? random.nextInt(states) : i + 1,
                  random.nextInt(states + 1)));
    byte[] content = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return new Definition(KIND, type, content);
  }

  @Override
  public ProgramKind kind() {
    return KIND;
  }

  @Override
  public Supplier<Program> read(Definition definition) {
    List<State> states =
        new String(definition.content(), StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.split(" "))
            .map(
                words ->
                    new State(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2])))
            .toList();
    return () -> new Machine(this, states, mark(definition.type()), forgets ? "-" + ++begun : "");
  }

  static Payload text(String value) {
    return PayloadCodec.standard().writeNamed(value, "a machine's text");
  }

  private static String read(Payload text) {
    return (String) PayloadCodec.standard().read(text, String.class, "a machine's text");
  }

  private static final class Machine implements RememberingProgram {
    private final Machines all;
    private final List<State> states;
    private final Map<Integer, Integer> visits = new HashMap<>();
    private final Map<OperationId, Outcome> open = new HashMap<>();
    private final List<Wish> wishes = new ArrayList<>();
    private final StringBuilder trace = new StringBuilder();
    private final String mark;
    private final String suffix;
    private String runId;
    private int run;
    private int at;
    private boolean ended;

    private Machine(Machines all, List<State> states, String mark, String suffix) {
      this.all = all;
      this.states = states;
      this.mark = mark;
      this.suffix = suffix;
    }

    @Override
    public Wishes advance(List<News> news) {
      for (News one : news) {
        if (!ended) handle(one);
        else if (one instanceof News.Completed done && done.signal().isPresent())
          wishes.addFirst(new Wish.GiveBack(done.operation(), done.signal().get()));
      }
      Wishes answer = new Wishes(wishes);
      wishes.clear();
      return answer;
    }

    /** All of it, a line each; what it waits for at last. */
    @Override
    public Optional<Payload> memory() {
      if (runId == null || ended) return Optional.empty();
      List<String> lines = new ArrayList<>(List.of(runId, "" + run, "" + at, trace.toString()));
      visits.forEach((state, times) -> lines.add("visits " + state + " " + times));
      open.forEach(
          (id, outcome) ->
              lines.add(
                  "open %s %s"
                      .formatted(
                          id.value(),
                          outcome == null
                              ? ""
                              : outcome instanceof Outcome.Succeeded ? "+" : "-")));
      return Optional.of(text(String.join("\n", lines)));
    }

    @Override
    public void resume(Payload memory) {
      all.resumed++;
      String[] lines = read(memory).split("\n", -1);
      runId = lines[0];
      run = Integer.parseInt(lines[1]);
      at = Integer.parseInt(lines[2]);
      trace.append(lines[3]);
      for (int i = 4; i < lines.length; i++) {
        String[] words = lines[i].split(" ", -1);
        if (words[0].equals("visits"))
          visits.put(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        else open.put(new OperationId(words[1]), remembered(words[2]));
      }
    }

    private static Outcome remembered(String outcome) {
      return switch (outcome) {
        case "" -> null;
        case "+" -> Outcome.DONE;
        default -> new Outcome.TimedOut("remembered");
      };
    }

    private void handle(News news) {
      switch (news) {
        case News.Started started -> {
          runId = started.start().runId();
          Payload input = started.start().input();
          run = input.equals(Payload.NONE) ? 1 : Integer.parseInt(read(input));
          enter(0);
        }
        case News.Completed done -> completed(done);
        case News.CancelRequested cancel -> end(new Outcome.Cancelled(cancel.reason()));
        case News.UpdateArrived update ->
            wishes.add(
                new Wish.AnswerUpdate(
                    update.updateId(), new Outcome.Succeeded(text(trace.toString()))));
        case News.ChildStarted child -> {}
        case News.SignalNotReceived signal -> {}
      }
    }

    private void completed(News.Completed done) {
      open.put(done.operation(), done.outcome());
      if (open.containsValue(null)) return;
      boolean well = open.values().stream().allMatch(Outcome.Succeeded.class::isInstance);
      open.keySet().stream()
          .sorted(java.util.Comparator.comparing(OperationId::value))
          .forEach(
              id ->
                  trace
                      .append(id.value())
                      .append(open.get(id) instanceof Outcome.Succeeded ? "+ " : "- "));
      open.clear();
      enter(well ? states.get(at).well : states.get(at).ill);
    }

    private void enter(int state) {
      at = state;
      while (at < states.size() && isPassed()) at++;
      if (at >= states.size()) {
        end(new Outcome.Succeeded(text(trace.toString())));
        return;
      }
      String word = states.get(at).word;
      if (word.equals("again")) {
        int version = states.get(at).ill % (VERSIONS + 1);
        Optional<Integer> next = version == 0 ? Optional.empty() : Optional.of(version);
        wishes.add(new Wish.ContinueAsNew(text("" + (run + 1)), next));
        ended = true;
        return;
      }
      int count = word.equals("activities") ? 3 : 1;
      for (int i = 1; i <= count; i++) ask(word + at + mark + i + suffix, spec(word));
    }

    private boolean isPassed() {
      return switch (states.get(at).word) {
        case "again" -> run >= RUNS_MAX;
        case "deep" -> {
          if (all.mended.add(runId + " " + at)) deeper(0);
          yield true;
        }
        default -> visits.merge(at, 1, Integer::sum) > VISITS_MAX;
      };
    }

    private int deeper(int depth) {
      return deeper(depth + 1) + 1;
    }

    private void ask(String name, OperationSpec spec) {
      OperationId id = OperationId.of("", name, visits.get(at));
      open.put(id, null);
      wishes.add(new Wish.Schedule(id, spec));
    }

    private OperationSpec spec(String word) {
      return switch (word) {
        case "signal" -> new OperationSpec.SignalWait(SIGNAL, Optional.empty());
        case "timer" -> new OperationSpec.Timer(new Due.After(SPANS[at % SPANS.length]));
        default ->
            new OperationSpec.Activity(
                StepParts.ACTIVITY.name(), text(word + "@" + runId), Life.RETRY, Timeouts.NONE);
      };
    }

    private void end(Outcome outcome) {
      wishes.add(new Wish.End(outcome));
      ended = true;
    }
  }
}
