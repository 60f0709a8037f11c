package dev.tenure.workflow.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call may say beyond its input. */
class ActivityCallTest {
  private static ActivityCall keyed(String key) {
    return new ActivityCall(Optional.of(key), false, Optional.empty(), Optional.empty());
  }

  private static Queueing queueing(String queue, String fairnessKey, String resource) {
    return new Queueing(
        queue,
        0,
        fairnessKey,
        Duration.ofSeconds(30),
        resource,
        Optional.empty(),
        Optional.empty());
  }

  /** Keys that differ in anything are different keys. */
  @Test
  void aKeyIsKeptAsItIs() {
    String odd = " \u0000#'; DROP ß:/% ";
    assertThat(keyed(odd).idempotencyKey()).contains(odd);
    assertThat(keyed("a")).isNotEqualTo(keyed("A"));
  }

  @Test
  void aKeyAtTheLimitIsTakenAndOnePastItIsNot() {
    String largest = "ß".repeat(ActivityDefinition.KEY_BYTES_MAX / 2);
    assertThat(keyed(largest).idempotencyKey()).contains(largest);
    assertThatThrownBy(() -> keyed(largest + "a"))
        .isInstanceOf(InvalidTextError.class)
        .hasMessageContaining("513 bytes")
        .hasMessageContaining("at most 512");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\uD83D", "a\uDE00"})
  void whatIsNoTextIsNoKey(String key) {
    assertThatThrownBy(() -> keyed(key)).isInstanceOf(InvalidTextError.class);
    assertThatThrownBy(() -> queueing(key, "", "")).isInstanceOf(InvalidTextError.class);
  }

  @Test
  void namesOfQueuesAndOfWhatIsCountedAreBounded() {
    String queue = "q".repeat(ActivityRouting.QUEUE_BYTES_MAX);
    String key = "k".repeat(ActivityRouting.KEY_BYTES_MAX);
    assertThat(queueing(queue, key, key).queue()).isEqualTo(queue);
    assertThat(queueing(queue, "", "").resource()).isEmpty();
    assertThatThrownBy(() -> queueing(queue + "q", "", "")).hasMessageContaining("321 bytes");
    assertThatThrownBy(() -> queueing(queue, key + "k", "")).hasMessageContaining("fairness key");
    assertThatThrownBy(() -> queueing(queue, "", key + "k")).hasMessageContaining("resource");
    assertThatThrownBy(() -> queueing(queue, "\uD83D", "")).hasMessageContaining("fairness key");
  }

  @Test
  void aHeartbeatTimeoutIsASpan() {
    for (Duration span : new Duration[] {Duration.ZERO, Timeouts.MAX.plusNanos(1)})
      assertThatThrownBy(
              () -> new ActivityCall(Optional.empty(), false, Optional.of(span), Optional.empty()))
          .hasMessageContaining("heartbeat timeout");
  }

  /** The longest name of an activity still makes a name of a queue. */
  @Test
  void everyActivityHasAQueueOfItsNodes() {
    String longest = "ß".repeat(ActivityDefinition.NAME_BYTES_MAX / 2);
    String queue = ActivityCall.nodeQueue(longest);
    assertThat(queueing(queue, "", "").queue()).startsWith(ActivityRouting.RESERVED);
  }
}
