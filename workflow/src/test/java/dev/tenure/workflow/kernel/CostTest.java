package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ten-thousandth step costs what the tenth does: in memory touched, not in time. */
class CostTest {
  private static final Kernel KERNEL = Kernel.standard();
  private static final Outcome DONE = new Outcome.Succeeded(Script.text("ok"));

  private WorkflowState state = WorkflowState.none();

  /** A workflow of one step after the other, without end. */
  private void step(int number) {
    Command command =
        number == 0
            ? new Command.StartWorkflow(Shell.start("w"))
            : new Command.AttemptEnded(OperationId.of("", "step", number), 1, DONE);
    Admission admission = KERNEL.admit(state, command, Shell.EPOCH);
    assertThat(admission).isInstanceOf(Admission.Accepted.class);
    Wish next = new Wish.Schedule(OperationId.of("", "step", number + 1), Step.DEFAULT);
    Decision decision = KERNEL.decide(state, command, Wishes.of(next), Shell.EPOCH);
    for (Event event : decision.events()) state = KERNEL.evolve(state, event);
  }

  private long bytesAllocatedBy(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void aStepAllocatesTheSameHoweverLongTheHistory() {
    for (int number = 0; number < 1_000; number++) step(number);
    long early = bytesAllocatedBy(() -> steps(1_000, 2_000));
    for (int number = 2_000; number < 10_000; number++) step(number);
    long late = bytesAllocatedBy(() -> steps(10_000, 11_000));
    assertThat(late).isLessThan(early * 12 / 10);
  }

  private void steps(int from, int to) {
    for (int number = from; number < to; number++) step(number);
  }

  @Test
  void nothingInTheStateGrowsWithTheHistory() throws IllegalAccessException {
    for (int number = 0; number < 10; number++) step(number);
    int early = size(state) + size(state.open);
    for (int number = 10; number < 10_000; number++) step(number);
    assertThat(size(state) + size(state.open)).isEqualTo(early);
    assertThat(state.operationCount()).isEqualTo(10_000);
  }

  /** How many things its collections hold: what a step could have to walk over. */
  private static int size(Object holder) throws IllegalAccessException {
    int size = 0;
    for (Field field : holder.getClass().getDeclaredFields()) {
      field.setAccessible(true);
      size +=
          switch (field.get(holder)) {
            case Collection<?> collection -> collection.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 0;
          };
    }
    return size;
  }

  @Test
  void oneOfAThousandParallelStepsCostsWhatOneOfTenDoes() {
    long few = perStep(10);
    perStep(1_000);
    long many = perStep(1_000);
    assertThat(many).isLessThan(few * 15 / 10);
  }

  /** Bytes allocated per result of a fan-out. */
  private long perStep(int width) {
    state = WorkflowState.none();
    Command start = new Command.StartWorkflow(Shell.start("w"));
    List<Wish> all =
        IntStream.rangeClosed(1, width + 1)
            .<Wish>mapToObj(
                number -> new Wish.Schedule(OperationId.of("", "step", number), Step.DEFAULT))
            .toList();
    Decision decision = KERNEL.decide(state, start, new Wishes(all), Shell.EPOCH);
    for (Event event : decision.events()) state = KERNEL.evolve(state, event);
    return bytesAllocatedBy(
            () -> {
              for (int number = 1; number <= width; number++) result(number);
            })
        / width;
  }

  private void result(int number) {
    Command command = new Command.AttemptEnded(OperationId.of("", "step", number), 1, DONE);
    KERNEL.admit(state, command, Shell.EPOCH);
    Decision decision = KERNEL.decide(state, command, Wishes.NONE, Shell.EPOCH);
    for (Event event : decision.events()) state = KERNEL.evolve(state, event);
  }
}
