package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A signal to a child that one run leaves to the next one. */
class CarriedSignalTest {
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Payload NEXT = Script.text("next");
  private static final OperationId C = new OperationId("c#1");
  private static final Outcome REFUSED =
      new Outcome.Failed(Failure.permanent(Failure.UNDELIVERABLE, "The id is taken."));

  /** Commits the end of step a together with these wishes, and begins anew. */
  private static void after(Shell shell, Wish... wishes) {
    Command done = new Command.AttemptEnded(OperationId.of("", "a", 1), 1, Outcome.DONE);
    shell.commit(done, Wishes.of(wishes));
  }

  private static Wish next() {
    return new Wish.ContinueAsNew(NEXT, Optional.empty());
  }

  private static OperationSpec toChild() {
    return new OperationSpec.Message(
        WorkflowId.of("child"), new MessageContent.Signal("go", Payload.NONE, Optional.of(C)));
  }

  /** Which child the only message that is open is for. */
  private static Optional<OperationId> meantChild(Shell shell) {
    return shell.state().openOperations().stream()
        .map(Operation::spec)
        .filter(OperationSpec.Message.class::isInstance)
        .map(spec -> ((MessageContent.Signal) ((OperationSpec.Message) spec).content()).child())
        .reduce(
            (one, other) -> {
              throw new AssertionError("there are several");
            })
        .orElseThrow();
  }

  @Test
  void aSignalThatGoesOverIsForTheChildWhoseStartGoesOver() {
    OperationSpec.Child spec = ChildrenTest.spec("child", ParentClosePolicy.ABANDON);
    Shell shell = Shell.started(par(A, new Script.Part.Try("c", spec), op("tell", toChild())));
    after(shell, next());
    OperationId start = meantChild(shell).orElseThrow();
    assertThat(shell.state().operation(start).orElseThrow().spec()).isEqualTo(spec);
    assertThat(shell.state().hasNoChild(start)).isFalse();
    shell.changeCode(() -> new Script(A));
    shell.tell(new Command.ChildEnded(start, REFUSED));
    assertThat(shell.state().hasNoChild(start)).isTrue();
    after(shell, next());
    assertThat(shell.state().hasNoChild(meantChild(shell).orElseThrow()))
        .as("nor has the third run")
        .isTrue();
    assertThat(shell.state().hasNoChild(C)).as("a child of its own may have that name").isFalse();
  }

  @Test
  void aSignalThatGoesOverIsForNobodyOnceTheStartOfItsChildWasRefused() {
    OperationSpec.Child spec = ChildrenTest.spec("child", ParentClosePolicy.ABANDON);
    Command refused = new Command.ChildEnded(C, REFUSED);
    Shell before = Shell.started(par(A, new Script.Part.Try("c", spec), op("tell", toChild())));
    before.tell(refused);
    after(before, next());
    Shell within = Shell.started(par(A, new Script.Part.Try("c", spec), op("tell", toChild())));
    within.commit(refused, Wishes.of(next()));
    for (Shell shell : List.of(before, within)) {
      assertThat(shell.state().hasNoChild(meantChild(shell).orElseThrow())).isTrue();
      assertThat(shell.state().hasNoChild(C)).isFalse();
    }
  }

  @Test
  void aSignalThatGoesOverNeedsNoStartOnceItsChildWasStarted() {
    OperationSpec.Child spec = ChildrenTest.spec("child", ParentClosePolicy.ABANDON);
    Shell shell = Shell.started(par(A, new Script.Part.Try("c", spec), op("tell", toChild())));
    shell.tell(new Command.ChildAcknowledged(C));
    after(shell, next());
    assertThat(meantChild(shell)).isEmpty();
  }
}
