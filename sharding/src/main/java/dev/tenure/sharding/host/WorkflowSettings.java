package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.program.Interpreter;
import dev.tenure.workflow.StepInterceptor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How a node runs workflows.
 *
 * @param clock the node's clock; workflows keep its times in microseconds
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
    List<Interpreter> interpreters) {
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
        List.of());
  }

  public WorkflowSettings {
    InstantSource given = clock;
    // Events keep microseconds, as the rows of PostgreSQL do, so that a time is the same in both.
    clock = () -> inMicroseconds(given.instant());
    interpreters = List.copyOf(interpreters);
  }

  /** Not truncatedTo: that costs as much as reading the clock. */
  private static Instant inMicroseconds(Instant instant) {
    int nanos = instant.getNano();
    return Instant.ofEpochSecond(instant.getEpochSecond(), nanos - nanos % 1000);
  }

  public WorkflowSettings withCodeLimit(Duration limit) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        signals,
        limit,
        restLimit,
        restingMax,
        scanEvery,
        recoveryPauseMax,
        limits,
        journal,
        interpreters);
  }

  public WorkflowSettings withRest(Duration limit, int max) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        signals,
        codeLimit,
        limit,
        max,
        scanEvery,
        recoveryPauseMax,
        limits,
        journal,
        interpreters);
  }

  public WorkflowSettings withCodec(PayloadCodec other) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        other,
        interceptors,
        signals,
        codeLimit,
        restLimit,
        restingMax,
        scanEvery,
        recoveryPauseMax,
        limits,
        journal,
        interpreters);
  }

  /** The interceptors around the code of steps and activities, the outermost first. */
  public WorkflowSettings withInterceptors(List<StepInterceptor> all) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        new Interceptors(all),
        signals,
        codeLimit,
        restLimit,
        restingMax,
        scanEvery,
        recoveryPauseMax,
        limits,
        journal,
        interpreters);
  }

  public WorkflowSettings withSignals(SignalSettings other) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        other,
        codeLimit,
        restLimit,
        restingMax,
        scanEvery,
        recoveryPauseMax,
        limits,
        journal,
        interpreters);
  }

  public WorkflowSettings withScanEvery(Duration period) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        signals,
        codeLimit,
        restLimit,
        restingMax,
        period,
        recoveryPauseMax,
        limits,
        journal,
        interpreters);
  }

  public WorkflowSettings withRecoveryPause(Duration max) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        signals,
        codeLimit,
        restLimit,
        restingMax,
        scanEvery,
        max,
        limits,
        journal,
        interpreters);
  }

  public WorkflowSettings withLimits(OwnerLimits other) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        signals,
        codeLimit,
        restLimit,
        restingMax,
        scanEvery,
        recoveryPauseMax,
        other,
        journal,
        interpreters);
  }

  public WorkflowSettings withJournal(JournalLimits other) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
        codec,
        interceptors,
        signals,
        codeLimit,
        restLimit,
        restingMax,
        scanEvery,
        recoveryPauseMax,
        limits,
        other,
        interpreters);
  }

  /** The interpreters of the kinds of program besides code. */
  public WorkflowSettings withInterpreters(List<Interpreter> all) {
    return new WorkflowSettings(
        clock,
        seeds,
        ids,
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
        all);
  }
}
