package dev.tenure.examples.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.WorkflowInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CounterTest {
  @RegisterExtension final TenureExtension tenure = TenureExtension.with(Counter.class);

  @Test
  void eachUpdateIsCountedOnceAndAnswered(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<Long> stock = engine.workflows().start(Counter::run, "stock", 10L);

    assertThat(stock.update(Counter.ADD, 5L)).isEqualTo(15);
    assertThat(stock.update("order-17", Counter.ADD, -3L)).isEqualTo(12);
    assertThat(stock.update("order-17", Counter.ADD, -3L)).isEqualTo(12);
    assertThatThrownBy(() -> stock.update(Counter.ADD, -13L))
        .isInstanceOf(UpdateRejectedException.class)
        .hasMessage("Only 12 are there.");

    assertThat(stock.query(Counter.VALUE)).isEqualTo(12);
    stock.signal(Counter.CLOSE, "sold");
    assertThat(stock.result()).isEqualTo(12);
  }

  @Test
  void itGoesOnForEverWithoutGrowing(TestEngine engine) {
    WorkflowHandle<Long> visits = engine.workflows().start(Counter::run, "visits", 0L);
    String firstRun = visits.describe().runId();
    long updates = WorkflowInfo.CONTINUE_AS_NEW_EVENTS / 2 + 10;
    for (long i = 1; i <= updates; i++) assertThat(visits.update(Counter.ADD, 1L)).isEqualTo(i);

    assertThat(visits.describe().runId()).isNotEqualTo(firstRun);
    assertThat(visits.query(Counter.VALUE)).isEqualTo(updates);
    visits.signal(Counter.CLOSE, "enough");
    assertThat(visits.result()).isEqualTo(updates);
  }
}
