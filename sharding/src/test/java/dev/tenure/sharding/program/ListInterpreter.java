package dev.tenure.sharding.program;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.RememberingProgram;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A kind of program for tests: a list of things that follow each other, one a line. Each gets what
 * the one before came to, and the last one's is the workflow's.
 *
 * <pre>
 * activity charge
 * signal paid
 * timer PT1H
 * size of it
 * bug it is not written yet
 * deep without end
 * classless since today
 * again 2
 * </pre>
 *
 * <p>A size is that of the value so far, which is read for it. No program is made of a list that
 * begins with {@code unmade}.
 */
public final class ListInterpreter implements Interpreter {
  public static final ProgramKind KIND = new ProgramKind("lists");

  private static final Set<String> WORDS =
      Set.of(
          "activity",
          "signal",
          "timer",
          "step",
          "size",
          "bug",
          "deep",
          "classless",
          "again",
          "unmade");

  /** Programs refuse to go on from what others remembered. */
  public static volatile boolean forgetful;

  /** How often programs have refused that. */
  public static final AtomicInteger FORGOTTEN = new AtomicInteger();

  /** Programs are of a kind that remembers nothing. */
  public static volatile boolean plain;

  /** Threads that programs ran on. */
  public static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();

  private record Line(String word, String name) {}

  public static Definition list(String name, int version, String... lines) {
    byte[] content = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return new Definition(KIND, new WorkflowType(name, version), content);
  }

  @Override
  public ProgramKind kind() {
    return KIND;
  }

  @Override
  public Supplier<Program> read(Definition definition) {
    List<Line> lines = new ArrayList<>();
    for (String text : new String(definition.content(), StandardCharsets.UTF_8).split("\n")) {
      String[] words = text.split(" ", 2);
      if (words.length < 2 || !WORDS.contains(words[0]))
        throw new InvalidDefinitionException(
            "line %d, \"%s\", begins with none of %s.".formatted(lines.size() + 1, text, WORDS));
      lines.add(new Line(words[0], words[1]));
    }
    return () -> {
      if (lines.getFirst().word.equals("unmade"))
        throw new IllegalStateException(lines.getFirst().name);
      Program program = new ListProgram(lines);
      return plain ? program::advance : program;
    };
  }

  private static final class ListProgram implements RememberingProgram {
    private final List<Line> lines;
    private final Map<OperationId, Outcome> early = new HashMap<>();
    private final List<Wish> wishes = new ArrayList<>();
    private Payload value = Payload.NONE;
    private int at;
    private OperationId awaited;
    private boolean ended;

    private ListProgram(List<Line> lines) {
      this.lines = lines;
    }

    @Override
    public Wishes advance(List<News> news) {
      THREADS.add(Thread.currentThread());
      for (News one : news)
        if (ended) giveBack(one);
        else handle(one);
      Wishes answer = new Wishes(wishes);
      wishes.clear();
      return answer;
    }

    private void handle(News news) {
      switch (news) {
        case News.Started started -> {
          value = started.start().input();
          ask();
        }
        case News.Completed done -> {
          if (done.operation().equals(awaited)) cameTo(done.outcome());
          else early.put(done.operation(), done.outcome());
        }
        case News.CancelRequested cancel -> end(new Outcome.Cancelled(cancel.reason()));
        case News.UpdateArrived update ->
            wishes.add(new Wish.AnswerUpdate(update.updateId(), new Outcome.Succeeded(value)));
        case News.ChildStarted child -> {}
        case News.SignalNotReceived signal -> {}
      }
    }

    private void cameTo(Outcome outcome) {
      awaited = null;
      if (!(outcome instanceof Outcome.Succeeded(Payload got))) {
        end(outcome);
        return;
      }
      if (lines.get(at).word.equals("activity") || lines.get(at).word.equals("signal")) value = got;
      at++;
      ask();
    }

    private void ask() {
      if (at == lines.size()) {
        end(new Outcome.Succeeded(value));
        return;
      }
      Line line = lines.get(at);
      if (line.word.equals("size")) {
        value = size();
        at++;
        ask();
        return;
      }
      if (line.word.equals("again")) {
        wishes.add(new Wish.ContinueAsNew(value, Optional.of(Integer.valueOf(line.name))));
        ended = true;
        return;
      }
      awaited = OperationId.of("", line.word, at + 1);
      wishes.add(new Wish.Schedule(awaited, spec(line)));
      Outcome known = early.remove(awaited);
      if (known != null) cameTo(known);
    }

    private Payload size() {
      return Payload.of(String.valueOf(value.bytes().length).getBytes(StandardCharsets.UTF_8));
    }

    private OperationSpec spec(Line line) {
      return switch (line.word) {
        case "activity" ->
            new OperationSpec.Activity(line.name, value, RetryPolicy.DEFAULT, Timeouts.DEFAULT);
        case "signal" -> new OperationSpec.SignalWait(line.name, Optional.empty());
        case "timer" -> new OperationSpec.Timer(new Due.After(Duration.parse(line.name)));
        case "step" -> OperationSpec.Step.DEFAULT;
        case "deep" -> spec(line);
        case "classless" -> throw new NoClassDefFoundError("no/such/Class");
        default -> throw new IllegalStateException(line.name);
      };
    }

    private void end(Outcome outcome) {
      wishes.add(new Wish.End(outcome));
      ended = true;
    }

    /** A signal that it was not told of goes back, before it says that it ends. */
    private void giveBack(News news) {
      if (news instanceof News.Completed done && done.signal().isPresent())
        wishes.addFirst(new Wish.GiveBack(done.operation(), done.signal().get()));
    }

    /**
     * Which line it is at, and the value so far; nothing while it knows results that come later.
     */
    @Override
    public Optional<Payload> memory() {
      if (!early.isEmpty() || ended) return Optional.empty();
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + value.size());
      return Optional.of(Payload.of(bytes.putInt(at).put(value.bytes()).array()));
    }

    @Override
    public void resume(Payload memory) {
      if (forgetful) {
        FORGOTTEN.incrementAndGet();
        throw new IllegalStateException("It remembers nothing on purpose.");
      }
      ByteBuffer bytes = ByteBuffer.wrap(memory.bytes());
      at = bytes.getInt();
      byte[] rest = new byte[bytes.remaining()];
      bytes.get(rest);
      value = Payload.of(rest);
      awaited = OperationId.of("", lines.get(at).word, at + 1);
    }

    @Override
    public Optional<Payload> query(String name, Payload input) {
      return switch (name) {
        case "line" ->
            Optional.of(Payload.of(String.valueOf(at + 1).getBytes(StandardCharsets.UTF_8)));
        case "size" -> Optional.of(size());
        case "deep" -> query(name, input);
        default -> Optional.empty();
      };
    }
  }
}
