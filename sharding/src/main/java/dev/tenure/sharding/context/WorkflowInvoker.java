package dev.tenure.sharding.context;

import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.branch.BranchHandle;
import dev.tenure.sharding.branch.BranchHost;
import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.ContinueAsNewUnwind;
import dev.tenure.sharding.branch.OperationIdSequence;
import dev.tenure.sharding.branch.ReadOnlyCall;
import dev.tenure.sharding.branch.RunEnd;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.sharding.branch.WorkflowThreadStopped;
import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.payload.Failures;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateHandler;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Calls the workflow's method, and the handlers and queries that the method has registered. */
public final class WorkflowInvoker implements BranchScheduler.WorkflowEntryPoints {
  private record Query(Type input, Optional<Type> output, Function<Object, Object> answer) {}

  private record Update(
      Type input,
      Optional<Type> output,
      UpdateHandler.Validator<Object> check,
      UpdateHandler<Object, ?> handler) {}

  private final WorkflowRegistration<?> workflow;
  private final PayloadCodec codec;
  private final BranchHost program;
  private final BugRule bugs;
  private final Map<String, Query> queries = new HashMap<>(2);
  private final Map<String, Update> updates = new HashMap<>(2);

  public WorkflowInvoker(WorkflowRegistration<?> workflow, PayloadCodec codec, BranchHost program) {
    this.workflow = workflow;
    this.codec = codec;
    this.program = program;
    this.bugs = new BugRule(workflow);
  }

  @Override
  public void begin(BranchScheduler scheduler, News.Started started) {
    scheduler.length.given(started.start().input());
    CodeContext context = new CodeContext(scheduler, this);
    WorkflowThread[] main = new WorkflowThread[1];
    main[0] =
        new WorkflowThread(
            scheduler,
            new OperationIdSequence(""),
            scheduler.root(),
            () -> {
              Outcome outcome = run(scheduler, context, started);
              RunEnd.finish(main[0], outcome);
            });
    scheduler.begin(main[0]);
  }

  private Outcome run(BranchScheduler scheduler, CodeContext context, News.Started started) {
    try {
      Object result = workflow.run(context, argument(started));
      return new Outcome.Succeeded(codec.write(result, workflow.output(), "the workflow's result"));
    } catch (ContinueAsNewUnwind next) {
      return new Outcome.Succeeded(Payload.NONE);
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (CancelledException cancelled) {
      return scheduler.isCancelRequested()
          ? new Outcome.Cancelled(cancelled.getMessage())
          : failed(cancelled);
    } catch (Throwable thrown) {
      stopAt(bugs.inRun(thrown));
      return failed(thrown);
    }
  }

  private Object argument(News.Started started) throws Throwable {
    if (workflow.input().isEmpty()) return null;
    Payload input = started.start().input();
    return program.readOrStop(
        () ->
            codec.read(program.work().load(input), workflow.input().get(), "the workflow's input"));
  }

  private Outcome failed(Throwable thrown) {
    return new Outcome.Failed(Failures.of(thrown, program.loader()));
  }

  /** Stops this run of the code when the exception of a branch or a handler is a bug. */
  @Override
  public void stopAtBug(Throwable thrown) {
    stopAt(bugs.inPart(thrown));
  }

  private void stopAt(Optional<CodeFault> fault) {
    if (fault.isPresent()) throw program.stopsAt(fault.get());
  }

  /**
   * @param output as which the answer is written; as its own class when empty
   */
  @SuppressWarnings("unchecked")
  <I, O> void onQuery(
      String name, TypeRef<I> input, Optional<TypeRef<O>> output, Function<I, O> answer) {
    queries.put(
        name, new Query(input.type(), output.map(TypeRef::type), given -> answer.apply((I) given)));
  }

  @SuppressWarnings("unchecked")
  <I, O> void onUpdate(
      String name,
      TypeRef<I> input,
      Optional<TypeRef<O>> output,
      UpdateHandler.Validator<I> check,
      UpdateHandler<I, O> handler) {
    updates.put(
        name,
        new Update(
            input.type(),
            output.map(TypeRef::type),
            given -> check.validate((I) given),
            given -> handler.handle((I) given)));
  }

  /** Asks the query on a thread that can change nothing recorded. */
  public void query(BranchScheduler scheduler, Inquiry inquiry, Consumer<Inquiry.Reply> reply) {
    ReadOnlyCall readOnly =
        new ReadOnlyCall(
            "Query " + inquiry.name(), failure -> reply.accept(new Inquiry.Reply.Failed(failure)));
    scheduler.runQuery(
        readOnly,
        () -> {
          Inquiry.Reply said = answer(inquiry);
          if (!readOnly.ends()) throw new WorkflowThreadStopped();
          reply.accept(said);
        });
  }

  private Inquiry.Reply answer(Inquiry inquiry) {
    Query query = queries.get(inquiry.name());
    if (query == null) return new Inquiry.Reply.NoSuchQuery(inquiry.name());
    try {
      Object input =
          query.input == void.class
              ? null
              : codec.read(inquiry.input(), query.input, "the input of query " + inquiry.name());
      Object answer = query.answer.apply(input);
      return new Inquiry.Reply.Value(
          written(answer, query.output, "the answer to query " + inquiry.name()));
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (StorageException away) {
      // The answer leaves the node. The database's own message is left out, because it may name
      // rows.
      return new Inquiry.Reply.Failed(
          Failure.retryable(
              StorageException.class.getName(),
              "A value that it needs cannot be read from the store now. Ask again."));
    } catch (Throwable thrown) {
      return new Inquiry.Reply.Failed(Failures.of(thrown));
    }
  }

  private Payload written(Object value, Optional<Type> type, String what) {
    return value == null ? Payload.NONE : codec.write(value, type.orElse(value.getClass()), what);
  }

  @Override
  public void update(News.UpdateArrived arrived) {
    BranchScheduler scheduler = program.scheduler();
    String id = arrived.updateId();
    OperationIdSequence names =
        new OperationIdSequence(
            OperationId.of("", OperationIdSequence.RESERVED + "update[" + id + "]", 1).value());
    Instant before = scheduler.at();
    BranchHandle<?>[] mine = new BranchHandle<?>[1];
    Consumer<Failure> refuse =
        failure -> {
          // A refused update leaves no trace: neither in the workflow's time, nor in what
          // conditions see.
          scheduler.passTo(before);
          scheduler.handlers.refused();
          mine[0].forget();
          scheduler.wish(new Wish.RejectUpdate(id, failure));
        };
    mine[0] =
        BranchHandle.beside(
            scheduler,
            names,
            () -> {
              handle(scheduler, scheduler.me(), arrived, refuse);
              return null;
            });
    mine[0].thread().readOnly =
        new ReadOnlyCall("The validator of update " + arrived.name(), refuse);
  }

  private void handle(
      BranchScheduler scheduler,
      WorkflowThread me,
      News.UpdateArrived arrived,
      Consumer<Failure> refuse) {
    Update update = updates.get(arrived.name());
    ReadOnlyCall readOnly = me.readOnly;
    // The update may be older than the workflow's time, which never goes back.
    if (arrived.at().isAfter(scheduler.at())) scheduler.passTo(arrived.at());
    Object input = null;
    Throwable refused = null;
    try {
      if (update == null)
        throw new dev.tenure.workflow.UpdateRejectedException(
            "This workflow takes no update \"" + arrived.name() + "\" now.");
      String what = "the input of update " + arrived.name();
      input = codec.read(scheduler.program().work().load(arrived.payload()), update.input, what);
      update.check.validate(input);
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable thrown) {
      refused = thrown;
    }
    // The owner gave the validator up meanwhile, and refused the update.
    if (!readOnly.ends()) throw new WorkflowThreadStopped();
    if (refused instanceof StorageException || refused instanceof MissingPayloadError)
      throw program.stopsAt(refused);
    if (refused != null) {
      // In a replay the record decides: an update that was accepted cannot be refused any more.
      boolean isAccepted = scheduler.isReplaying() && !program.hasFailed(arrived.updateId());
      if (isAccepted && refused instanceof Error) stopAtBug(refused);
      refuse.accept(Failures.of(refused, program.loader()));
      return;
    }
    me.readOnly = null;
    scheduler.markConditionsDirty();
    try {
      answer(scheduler, me, update, input, arrived);
    } finally {
      scheduler.handlers.ended();
    }
  }

  private void answer(
      BranchScheduler scheduler,
      WorkflowThread me,
      Update update,
      Object input,
      News.UpdateArrived arrived) {
    scheduler.length.given(arrived.payload());
    Outcome outcome = outcome(me, update, input, arrived.name());
    boolean isCut =
        outcome instanceof Outcome.Cancelled
            && me.scope.isCancelled()
            && scheduler.handlers.cut(arrived);
    if (!isCut) scheduler.wish(new Wish.AnswerUpdate(arrived.updateId(), outcome));
  }

  private Outcome outcome(WorkflowThread me, Update update, Object input, String name) {
    try {
      // Runs in a block of its own: the answer follows when the handler's branches have ended.
      Object answer = me.in(me.scope.within(), () -> update.handler.handle(input));
      return new Outcome.Succeeded(written(answer, update.output, "the answer to update " + name));
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (CancelledException cancelled) {
      return new Outcome.Cancelled(cancelled.getMessage());
    } catch (Throwable thrown) {
      stopAtBug(thrown);
      return failed(thrown);
    }
  }
}
