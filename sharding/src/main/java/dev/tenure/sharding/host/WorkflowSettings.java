package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.program.Interpreter;
import dev.tenure.workflow.StepInterceptor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How a node runs workflows.
 *
 * @param clock what workflows go by, on a node of a cluster {@code ClusterRuntime.clock()}; they
 *     keep its times in microseconds
 * @param seeds gives one for each workflow that starts
 * @param ids makes ids that are unique for ever, for runs and for signals without an id of their
 *     own
 * @param codeLimit how long a workflow's code may run between two waits before it counts as stuck
 * @param restLimit how long a workflow that waits stays in memory
 * @param restingMax how many such workflows stay in memory
 * @param scanEvery how often the node looks for workflows that became due
 * @param recoveryPauseMax the longest pause before a workflow is recovered again after a failure
 * @param limits how much an owner takes at once
 * @param journal how long owners wait for the journal, and how many read it at once
 * @param interpreters of the kinds of program that are documents
 * @param storedProgramsMax how many programs of such a kind stay in memory
 * @param failpoints where a test ends or holds the process
 */
public record WorkflowSettings(
    InstantSource clock,
    LongSupplier seeds,
    Supplier<String> ids,
    PayloadCodec codec,
    Interceptors interceptors,
    SignalSettings signals,
    Duration codeLimit,
    Duration restLimit,
    int restingMax,
    Duration scanEvery,
    Duration recoveryPauseMax,
    OwnerLimits limits,
    JournalLimits journal,
    List<Interpreter> interpreters,
    int storedProgramsMax,
    Failpoints failpoints) {
  /** Messages that may wait for one workflow; one more is answered with busy. */
  public static final int WAITING_MAX = 1_000;

  /** The default of {@code codeLimit}. */
  public static final Duration CODE_LIMIT = Duration.ofSeconds(2);

  /** A client that waits for a result asks again after this, so the owner knows who waits. */
  public static final Duration WAIT_ROUND = Duration.ofSeconds(10);

  static final int FRESH_MAX = 100_000;

  public static WorkflowSettings of(InstantSource clock, LongSupplier seeds, Supplier<String> ids) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        PayloadCodec.standard(),
        Interceptors.NONE,
        SignalSettings.DEFAULT,
        CODE_LIMIT,
        Duration.ofSeconds(10),
        10_000,
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        OwnerLimits.DEFAULT,
        JournalLimits.DEFAULT,
        List.of(),
        1_000,
        Failpoints.NONE);
  }

  public WorkflowSettings {
    // Events keep microseconds, as the rows of PostgreSQL do, so that a time is the same in both.
    clock = clock instanceof Microseconds ? clock : new Microseconds(clock);
    interpreters = List.copyOf(interpreters);
  }

  private record Microseconds(InstantSource given) implements InstantSource {
    /** Not truncatedTo: that costs as much as reading the clock. */
    @Override
    public Instant instant() {
      Instant instant = given.instant();
      int nanos = instant.getNano();
      return Instant.ofEpochSecond(instant.getEpochSecond(), nanos - nanos % 1000);
    }
  }

  public WorkflowSettings withCodeLimit(Duration limit) {
    return with(copy -> copy.codeLimit = limit);
  }

  public WorkflowSettings withRest(Duration limit, int max) {
    return with(
        copy -> {
          copy.restLimit = limit;
          copy.restingMax = max;
        });
  }

  public WorkflowSettings withCodec(PayloadCodec other) {
    return with(copy -> copy.codec = other);
  }

  /** The interceptors around the code of steps and activities, the outermost first. */
  public WorkflowSettings withInterceptors(List<StepInterceptor> all) {
    return with(copy -> copy.interceptors = new Interceptors(all));
  }

  public WorkflowSettings withSignals(SignalSettings other) {
    return with(copy -> copy.signals = other);
  }

  public WorkflowSettings withScanEvery(Duration period) {
    return with(copy -> copy.scanEvery = period);
  }

  public WorkflowSettings withRecoveryPause(Duration max) {
    return with(copy -> copy.recoveryPauseMax = max);
  }

  public WorkflowSettings withLimits(OwnerLimits other) {
    return with(copy -> copy.limits = other);
  }

  public WorkflowSettings withJournal(JournalLimits other) {
    return with(copy -> copy.journal = other);
  }

  /** The interpreters of the kinds of program besides code. */
  public WorkflowSettings withInterpreters(List<Interpreter> all) {
    return with(copy -> copy.interpreters = all);
  }

  /** How many stored programs of a kind stay in memory. */
  public WorkflowSettings withStoredPrograms(int max) {
    return with(copy -> copy.storedProgramsMax = max);
  }

  /** For tests that end the process at a certain place. */
  public WorkflowSettings withFailpoints(Failpoints places) {
    return with(copy -> copy.failpoints = places);
  }

  private WorkflowSettings with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.settings();
  }

  /** The settings that one of the methods above may change. */
  private static final class Copy {
    private final WorkflowSettings of;
    private PayloadCodec codec;
    private Interceptors interceptors;
    private SignalSettings signals;
    private Duration codeLimit;
    private Duration restLimit;
    private int restingMax;
    private Duration scanEvery;
    private Duration recoveryPauseMax;
    private OwnerLimits limits;
    private JournalLimits journal;
    private List<Interpreter> interpreters;
    private int storedProgramsMax;
    private Failpoints failpoints;

    private Copy(WorkflowSettings of) {
      this.of = of;
      codec = of.codec;
      interceptors = of.interceptors;
      signals = of.signals;
      codeLimit = of.codeLimit;
      restLimit = of.restLimit;
      restingMax = of.restingMax;
      scanEvery = of.scanEvery;
      recoveryPauseMax = of.recoveryPauseMax;
      limits = of.limits;
      journal = of.journal;
      interpreters = of.interpreters;
      storedProgramsMax = of.storedProgramsMax;
      failpoints = of.failpoints;
    }

    private WorkflowSettings settings() {
      return new WorkflowSettings(
          of.clock,
          of.seeds,
          of.ids,
          codec,
          interceptors,
          signals,
          codeLimit,
          restLimit,
          restingMax,
          scanEvery,
          recoveryPauseMax,
          limits,
          journal,
          interpreters,
          storedProgramsMax,
          failpoints);
    }
  }
}
