package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.List;

/** The update handlers of a run that have begun and not ended. */
public final class UpdateHandlers {
  private final BranchScheduler scheduler;
  private final BranchScheduler.WorkflowEntryPoints entryPoints;
  private int underWay;

  /** The run is ending: no handler begins any more. */
  private boolean closed;

  /**
   * Updates that arrived while the run was ending. The next run handles them, or this one if it
   * does not end.
   */
  private final List<News.UpdateArrived> held = new ArrayList<>(0);

  private final List<String> cut = new ArrayList<>(0);

  UpdateHandlers(BranchScheduler scheduler, BranchScheduler.WorkflowEntryPoints entryPoints) {
    this.scheduler = scheduler;
    this.entryPoints = entryPoints;
  }

  void arrived(News.UpdateArrived update) {
    if (closed) {
      held.add(update);
      return;
    }
    underWay++;
    entryPoints.update(update);
  }

  /** A handler has ended, with an answer or without. */
  public void ended() {
    underWay--;
    scheduler.markConditionsDirty();
  }

  /** The validator refused the update: it does not count as one that has begun. */
  public void refused() {
    underWay--;
  }

  public void await(WorkflowThread me) {
    if (me.ids.branch().startsWith(OperationIdSequence.RESERVED))
      throw new IllegalStateException(
          "An update handler cannot wait for the handlers: it would wait for itself.");
    me.awaitCondition(() -> underWay == 0);
  }

  void close() {
    closed = true;
  }

  /**
   * Whether the handler was stopped by the end of the run. Then it answers nothing: the kernel
   * decides what becomes of the update.
   */
  public boolean cut(News.UpdateArrived update) {
    if (closed) cut.add(update.updateId());
    return closed;
  }

  /** The run does not end after all: updates are handled again. */
  void reopen(CancelledException why) {
    closed = false;
    for (String id : cut)
      scheduler.wish(new Wish.AnswerUpdate(id, new Outcome.Cancelled(why.getMessage())));
    cut.clear();
    List<News.UpdateArrived> came = List.copyOf(held);
    held.clear();
    came.forEach(this::arrived);
  }
}
