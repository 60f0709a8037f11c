package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.List;

/** The update handlers of a run that are under way. */
public final class UpdateHandlers {
  private final BranchScheduler stage;
  private final BranchScheduler.WorkflowEntryPoints play;
  private int underWay;

  /** The run comes to its end: no handler begins any more. */
  private boolean closed;

  /** What came meanwhile. The run that follows handles it, or this one if it goes on after all. */
  private final List<News.UpdateArrived> held = new ArrayList<>(0);

  private final List<String> cut = new ArrayList<>(0);

  UpdateHandlers(BranchScheduler stage, BranchScheduler.WorkflowEntryPoints play) {
    this.stage = stage;
    this.play = play;
  }

  void arrived(News.UpdateArrived update) {
    if (closed) {
      held.add(update);
      return;
    }
    underWay++;
    play.update(update);
  }

  /** The handler has come to its end, and answers the update or not. */
  public void ended() {
    underWay--;
    stage.changed();
  }

  /** The update was never one; nothing could see that it was under way. */
  public void refused() {
    underWay--;
  }

  public void await(WorkflowThread me) {
    if (me.names.branch().startsWith(OperationIdSequence.RESERVED))
      throw new IllegalStateException(
          "An update handler cannot wait for the handlers: it would wait for itself.");
    me.awaitCondition(() -> underWay == 0);
  }

  void close() {
    closed = true;
  }

  /** Whether a handler gave up because the run ends. Nothing is answered then: see the kernel. */
  public boolean cut(News.UpdateArrived update) {
    if (closed) cut.add(update.updateId());
    return closed;
  }

  /** The run goes on after all. */
  void reopen(CancelledException why) {
    closed = false;
    for (String id : cut)
      stage.wish(new Wish.AnswerUpdate(id, new Outcome.Cancelled(why.getMessage())));
    cut.clear();
    List<News.UpdateArrived> came = List.copyOf(held);
    held.clear();
    came.forEach(this::arrived);
  }
}
