package dev.tenure.http.bulk;

import dev.tenure.http.access.Audit;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.Faults;
import dev.tenure.http.workflow.Engine;
import dev.tenure.http.workflow.IncidentFilters;
import dev.tenure.http.workflow.Remedies;
import dev.tenure.persistence.bulk.BulkOperation;
import dev.tenure.persistence.bulk.BulkOperation.Progress;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.bulk.BulkState;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries bulk operations out: those that were confirmed here, and those whose node went away.
 * Every order is one that can be given twice, so a page that was half done is done again.
 */
public final class BulkRunner implements AutoCloseable {
  static final int PAGE_ROWS = 50;

  /** Each resolution replays a workflow's code. */
  static final int RESOLVED_AT_ONCE = 16;

  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  /** A node that says nothing for so long is taken for gone: longer than a page may take. */
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(BulkRunner.class);

  private final Engine engine;
  private final BulkOperations operations;
  private final Audit audit;
  private final Semaphore looks = new Semaphore(0);
  private final Thread thread;
  private volatile boolean stopping;

  /** What became of one order. */
  private enum End {
    APPLIED,
    UNCHANGED,
    FAILED
  }

  /**
   * @param outcome for the audit
   */
  private record Done(End end, Optional<String> failure, String outcome) {
    static final Done UNCHANGED = new Done(End.UNCHANGED, Optional.empty(), "unchanged");
  }

  /** A bulk operation that this node carries out. */
  private record Running(String id, BulkRequest request, Instant counted) {}

  /**
   * @param audit is told of each order to a workflow
   */
  public BulkRunner(Engine engine, BulkOperations operations, Audit audit) {
    this.engine = engine;
    this.operations = operations;
    this.audit = audit;
    this.thread = Thread.ofVirtual().name("tenure-bulk").start(this::run);
  }

  /** Something was confirmed: look now. */
  void look() {
    looks.release();
  }

  private void run() {
    while (!stopping) {
      try {
        if (looks.tryAcquire(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) looks.drainPermits();
        Optional<BulkOperation> next = stopping ? Optional.empty() : operations.take(SILENCE);
        while (next.isPresent() && !stopping) {
          carryOut(next.get());
          next = operations.take(SILENCE);
        }
      } catch (InterruptedException e) {
        return;
      } catch (StorageException e) {
        // The next look finds it again.
        log.warn("bulk operations wait for the storage: {}", e.getMessage());
      } catch (RuntimeException e) {
        log.error("a bulk operation failed in an unforeseen way", e);
      }
    }
  }

  private void carryOut(BulkOperation operation) {
    BulkRequest request = BulkRequest.parse(operation.request());
    Running running = new Running(operation.id(), request, operation.createdAt());
    Progress progress = operation.progress();
    boolean more = true;
    while (more && !stopping) {
      Page<Done> page =
          request.order() == BulkRequest.Order.RESOLVE_INCIDENT
              ? resolve(running, progress.cursor())
              : order(running, progress.cursor());
      progress = after(progress, page.next(), page.rows());
      more = page.next().isPresent();
      BulkState state = more ? BulkState.RUNNING : BulkState.FINISHED;
      // Another node took it over: it goes on from the page that is stored.
      if (!operations.advance(operation.id(), state, progress)) return;
    }
  }

  /** Those that were raised before they were counted; one that comes again is another one. */
  private Page<Done> resolve(Running running, Optional<String> cursor) {
    BulkRequest request = running.request();
    Page<IncidentRow> page =
        engine
            .storage()
            .incidents()
            .list(IncidentFilters.of(request.filter()), new PageRequest(RESOLVED_AT_ONCE, cursor));
    List<CompletableFuture<Done>> under = new ArrayList<>();
    for (IncidentRow row : page.rows()) {
      if (row.since().isAfter(running.counted())) continue;
      under.add(
          engine
              .workflows()
              .resolve(row, request.remedy(), request.reason())
              .handle(BulkRunner::done)
              .thenApply(done -> audited(running, row.workflow(), row.operation(), done))
              .toCompletableFuture());
    }
    return new Page<>(joined(under), page.next());
  }

  private Done audited(Running running, WorkflowId id, Optional<String> step, Done done) {
    BulkRequest request = running.request();
    String remedy =
        request.order() == BulkRequest.Order.RESOLVE_INCIDENT
            ? Remedies.word(request.remedy())
            : request.order().word();
    audit.write(
        new Audit.Entry(
            request.caller(),
            "bulk.run",
            id.value(),
            new Audit.Details(
                step,
                Optional.of(remedy),
                Optional.of(running.id()),
                Optional.of(request.reason()).filter(why -> !why.isEmpty())),
            done.outcome()));
    return done;
  }

  private Page<Done> order(Running running, Optional<String> cursor) {
    BulkRequest request = running.request();
    Page<WorkflowRow> page =
        engine
            .storage()
            .workflows()
            .list(request.matching(running.counted()), new PageRequest(PAGE_ROWS, cursor));
    List<CompletableFuture<Done>> under = new ArrayList<>();
    for (WorkflowRow row : page.rows()) {
      under.add(
          row.status().isFinal()
              ? CompletableFuture.completedFuture(Done.UNCHANGED)
              : order(request, row.id())
                  .handle(BulkRunner::done)
                  .thenApply(done -> audited(running, row.id(), Optional.empty(), done))
                  .toCompletableFuture());
    }
    return new Page<>(joined(under), page.next());
  }

  private static List<Done> joined(List<CompletableFuture<Done>> under) {
    return under.stream().map(CompletableFuture::join).toList();
  }

  private CompletionStage<Boolean> order(BulkRequest request, WorkflowId id) {
    return switch (request.order()) {
      case CANCEL -> engine.workflows().cancel(id, request.reason());
      case TERMINATE -> engine.workflows().terminate(id, request.reason());
      case PAUSE -> engine.workflows().pause(id, request.reason());
      case RESUME -> engine.workflows().resume(id);
      case RESOLVE_INCIDENT -> engine.workflows().resolveIncident(id, request.reason());
    };
  }

  private static Done done(Boolean applied, Throwable failure) {
    if (failure == null)
      return applied ? new Done(End.APPLIED, Optional.empty(), "done") : Done.UNCHANGED;
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    // It ended by itself meanwhile: there is nothing left to be told.
    if (cause instanceof WorkflowError.HasEnded) return Done.UNCHANGED;
    // Another person decided about the activity meanwhile.
    if (cause instanceof WorkflowError.NotOpen) return Done.UNCHANGED;
    Optional<ApiFault> fault = Faults.of(cause);
    String code = fault.map(known -> known.code().code()).orElse("EngineFailure");
    String told = fault.map(known -> code + ": " + known.detail()).orElse(code);
    return new Done(End.FAILED, Optional.of(told), code);
  }

  private static Progress after(Progress before, Optional<String> cursor, List<Done> page) {
    long applied = before.applied();
    long unchanged = before.unchanged();
    long failed = before.failed();
    Optional<String> failure = before.failure();
    for (Done each : page) {
      switch (each.end) {
        case APPLIED -> applied++;
        case UNCHANGED -> unchanged++;
        case FAILED -> failed++;
      }
      if (each.failure.isPresent()) failure = each.failure;
    }
    return new Progress(before.turn(), cursor, applied, unchanged, failed, failure);
  }

  @Override
  public void close() {
    stopping = true;
    looks.release();
    thread.interrupt();
  }
}
