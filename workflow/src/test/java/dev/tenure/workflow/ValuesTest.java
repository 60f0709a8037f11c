package dev.tenure.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.operation.OperationId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

  // --- text

  @Test
  void anIdIsKeptAsItIs() {
    String odd = " ä:/%\u0000#'; DROP\uD83D\uDE00 ";
    assertThat(WorkflowId.of(odd).value()).isEqualTo(odd);
    assertThat(Text.utf8Bytes("x", odd)).isEqualTo(odd.getBytes(StandardCharsets.UTF_8).length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD83D", "a\uDE00", "\uD83Da", "\uDE00\uD83D"})
  void aLoneSurrogateIsNoText(String text) {
    assertThatThrownBy(() -> WorkflowId.of(text))
        .isInstanceOf(InvalidTextError.class)
        .hasMessageContaining("lone surrogate");
  }

  @Test
  void anIdAtTheLimitIsGoodAndOnePastItIsNot() {
    String largest = "ä".repeat(WorkflowId.BYTES_MAX / 2);
    assertThat(WorkflowId.of(largest).value()).isEqualTo(largest);
    assertThatThrownBy(() -> WorkflowId.of(largest + "a"))
        .hasMessageContaining("513 bytes")
        .hasMessageContaining("at most 512");
    assertThatThrownBy(() -> WorkflowId.of("")).hasMessageContaining("empty");
  }

  // --- operations

  @Test
  void anOperationIsNamedByBranchNameAndOccurrence() {
    OperationId plain = OperationId.of("", "charge", 1);
    assertThat(plain).hasToString("charge#1");
    OperationId nested = OperationId.of(OperationId.of("", "ship", 2).value(), "label", 1);
    assertThat(nested).hasToString("ship#2/label#1");
    assertThat(nested.branch()).isEqualTo("ship#2");
    assertThat(nested.name()).isEqualTo("label");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "a#1", "100%", "~", "~/x", "%2F", "%7E", "a/b#1/c", "~%7E"})
  void whatStructuresAnIdIsEscapedInNames(String name) {
    OperationId id = OperationId.of("", name, 1);
    assertThat(id.name()).isEqualTo(name);
    assertThat(id.branch()).isEmpty();
    assertThat(id.isEngines()).isFalse();
  }

  @Test
  void anOperationsNameIsBounded() {
    String largest = "a".repeat(OperationId.NAME_BYTES_MAX);
    assertThat(OperationId.of("", largest, 1).name()).isEqualTo(largest);
    assertThatThrownBy(() -> OperationId.of("", largest + "a", 1)).hasMessageContaining("257");
    String deep = "b".repeat(OperationId.BYTES_MAX - 4);
    assertThat(OperationId.of(deep, "x", 1).value()).hasSize(OperationId.BYTES_MAX);
    assertThatThrownBy(() -> OperationId.of(deep + "b", "x", 1)).hasMessageContaining("1025");
    assertThatThrownBy(() -> OperationId.of("", "x", 0)).hasMessageContaining("count from 1");
  }

  // --- failures

  @Test
  void aLongFailureIsCutVisiblyAndNeverThroughACharacter() {
    String long1 = "x".repeat(Failure.MESSAGE_CHARS_MAX);
    assertThat(Failure.retryable("T", long1).message()).isEqualTo(long1);
    String cut = Failure.retryable("T", long1 + "y").message();
    assertThat(cut).hasSize(Failure.MESSAGE_CHARS_MAX).endsWith("x… (cut, it had 4097 characters)");
    assertThat(Failure.cut(cut, 200)).hasSize(200).endsWith("x… (cut, it had 4097 characters)");
    assertThat(Failure.cut("abcdef", 4)).isEqualTo("abc…");
    // Where it is cut, there is a character of two halves.
    int kept = Failure.MESSAGE_CHARS_MAX - "… (cut, it had 5000 characters)".length();
    String pair = "x".repeat(kept - 1) + "\uD83D\uDE00" + "z".repeat(5_000 - kept - 1);
    String cutPair = Failure.retryable("T", pair).message();
    assertThat(cutPair).endsWith("x… (cut, it had 5000 characters)");
    assertThat(Text.utf8Bytes("message", cutPair)).isPositive();
  }

  @Test
  void causesAreKeptUpToTheirLimit() {
    Failure failure = Failure.permanent("T0", "");
    for (int level = 1; level <= 20; level++)
      failure = new Failure("T" + level, "", Optional.empty(), true, "", Optional.of(failure));
    assertThat(failure.type()).isEqualTo("T20");
    int depth = 1;
    Failure at = failure;
    while (at.cause().isPresent()) {
      at = at.cause().get();
      depth++;
    }
    assertThat(depth).isEqualTo(Failure.CAUSES_MAX);
    assertThat(at.type()).isEqualTo("T13");
  }

  // --- policies

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 2000", "3, 4000", "5, 16000", "6, 30000", "2000, 30000"})
  void delaysDoubleUpToHalfAMinute(int attempt, long millis) {
    assertThat(RetryPolicy.DEFAULT.delayAfter(attempt, 0)).isEqualTo(Duration.ofMillis(millis));
    assertThat(RetryPolicy.DEFAULT.delayAfter(attempt, 1))
        .isEqualTo(Duration.ofMillis(millis * 9 / 10));
  }

  @Test
  void aPolicyThatCannotBeIsRefused() {
    RetryPolicy policy = RetryPolicy.DEFAULT;
    assertThatThrownBy(() -> policy.attempts(0)).hasMessageContaining("attemptsMax is 0");
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> policy.backoff(second.negated(), 2, second))
        .hasMessageContaining("initialBackoff");
    assertThatThrownBy(() -> policy.backoff(second, 0.5, second))
        .hasMessageContaining("multiplier");
    assertThatThrownBy(() -> policy.backoff(second, Double.NaN, second))
        .hasMessageContaining("multiplier");
    assertThatThrownBy(() -> policy.backoff(second, 2, Duration.ofMillis(1)))
        .hasMessageContaining("backoffMax");
    assertThatThrownBy(() -> policy.jitter(1.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> Timeouts.NONE.attempt(Duration.ZERO)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> Timeouts.NONE.total(Timeouts.MAX.plusNanos(1)))
        .hasMessageContaining("total timeout");
    assertThat(Timeouts.NONE.total(Timeouts.MAX).total()).contains(Timeouts.MAX);
  }

  @Test
  void aTypeOfFailureHasOneToTenAttempts() {
    RetryPolicy policy = RetryPolicy.DEFAULT.attempts(5).attempts("Busy", 10).attempts("Bug", 1);
    assertThat(policy.attemptsFor())
        .containsExactlyInAnyOrderEntriesOf(Map.of("Busy", 10, "Bug", 1));
    assertThat(policy.attempts(IllegalStateException.class, 2).attemptsFor())
        .containsEntry("java.lang.IllegalStateException", 2);
    for (int none : new int[] {0, -1, RetryPolicy.ATTEMPTS_FOR_MAX + 1})
      assertThatThrownBy(() -> policy.attempts("Busy", none))
          .hasMessageContaining("for Busy it allows %d attempts, outside 1 to 10".formatted(none));
    // What else is said of a policy leaves that as it is.
    Duration second = Duration.ofSeconds(1);
    assertThat(
            policy
                .attempts(9)
                .backoff(second, 1, second)
                .jitter(0)
                .thenIncident()
                .never(Error.class)
                .attemptsFor())
        .isEqualTo(policy.attemptsFor());
  }

  /** The newest failure decides how many there are in all, and none helps where none can. */
  @Test
  void theTypeOfTheNewestFailureDecidesHowManyAttemptsThereAre() {
    RetryPolicy policy = RetryPolicy.DEFAULT.attempts("Busy", 10).attempts("Bug", 1);
    Failure busy = Failure.retryable("Busy", "");
    Failure bug = Failure.retryable("Bug", "");
    Failure other = Failure.retryable("Other", "");
    assertThat(policy.allowsAfter(9, busy)).isTrue();
    assertThat(policy.allowsAfter(10, busy)).isFalse();
    assertThat(policy.allowsAfter(1, bug)).isFalse();
    assertThat(policy.allowsAfter(2, other)).isTrue();
    assertThat(policy.allowsAfter(3, other)).isFalse();
    assertThat(policy.unlimited().allowsAfter(10, busy)).isFalse();
    assertThat(policy.allowsAfter(1, Failure.permanent("Busy", ""))).isFalse();
    Failure never = Failure.retryable(IllegalStateException.class.getName(), "");
    RetryPolicy both =
        policy.attempts(IllegalStateException.class, 9).never(IllegalStateException.class);
    assertThat(both.allowsAfter(1, never)).isFalse();
  }

  /** However a failure is changed, what is known of its effect stays. */
  @Test
  void aFailureKeepsWhatIsKnownOfItsEffect() {
    Failure failure = Failure.retryable("T", "m");
    assertThat(failure.outside()).isEqualTo(Failure.OutsideEffect.POSSIBLE);
    Failure unproven = failure.with(Failure.OutsideEffect.UNPROVEN);
    assertThat(unproven.as(Failure.Form.DEFECT).outside())
        .isEqualTo(Failure.OutsideEffect.UNPROVEN);
    assertThat(unproven.as(Failure.Form.DEFECT).with(Failure.OutsideEffect.POSSIBLE))
        .isEqualTo(failure.as(Failure.Form.DEFECT));
  }

  // --- attributes

  @Test
  void ordinaryValuesBecomeAttributes() {
    Instant instant = Instant.parse("2026-03-01T09:00:00Z");
    assertThat(Attribute.of("x")).isEqualTo(new Attribute.OfText("x"));
    assertThat(Attribute.of(3)).isEqualTo(new Attribute.OfLong(3));
    assertThat(Attribute.of(1.5)).isEqualTo(new Attribute.OfDouble(1.5));
    assertThat(Attribute.of(true)).isEqualTo(new Attribute.OfBoolean(true));
    assertThat(Attribute.of(instant)).isEqualTo(new Attribute.OfInstant(instant));
    assertThat(Attribute.of(List.of("a", "b"))).isEqualTo(new Attribute.OfTexts(List.of("a", "b")));
    assertThat(Attribute.of(ParentClosePolicy.CANCEL)).isEqualTo(new Attribute.OfText("CANCEL"));
    assertThat(Attribute.of(null)).isEqualTo(new Attribute.Removed());
    assertThatThrownBy(() -> Attribute.of(new Object())).hasMessageContaining("java.lang.Object");
    assertThatThrownBy(() -> Attribute.of(Double.NaN)).hasMessageContaining("finite");
  }

  @Test
  void attributesAreBounded() {
    String largest = "a".repeat(Attribute.TEXT_BYTES_MAX);
    assertThat(Attribute.of(largest)).isEqualTo(new Attribute.OfText(largest));
    assertThatThrownBy(() -> Attribute.of(largest + "a"))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("2049 is past the limit TEXT_BYTES_MAX = 2048");
    List<String> many = Collections.nCopies(Attribute.LIST_MAX, "a");
    assertThat(Attribute.of(many)).isEqualTo(new Attribute.OfTexts(many));
    List<String> tooMany = Collections.nCopies(Attribute.LIST_MAX + 1, "a");
    assertThatThrownBy(() -> Attribute.of(tooMany)).hasMessageContaining("LIST_MAX = 64");
    Map<String, Attribute> named = new HashMap<>();
    named.put("n".repeat(Attribute.NAME_BYTES_MAX), Attribute.of(1));
    assertThat(Attribute.requireNames(named)).isEqualTo(named);
    named.put("n".repeat(Attribute.NAME_BYTES_MAX + 1), Attribute.of(1));
    assertThatThrownBy(() -> Attribute.requireNames(named)).hasMessageContaining("129 bytes");
  }

  // --- chance

  @Test
  void aSeedMeansTheSameNumbersForEver() {
    SeededRandom random = new SeededRandom(42);
    assertThat(random.nextLong()).isEqualTo(-4767286540954276203L);
    assertThat(random.nextLong()).isEqualTo(2949826092126892291L);
    assertThat(new SeededRandom(42).nextUuid())
        .isEqualTo(UUID.fromString("bdd73226-2feb-4e95-a8ef-e333b266f103"));
    assertThat(SeededRandom.of(42, "a").nextLong())
        .isEqualTo(SeededRandom.of(42, "a").nextLong())
        .isNotEqualTo(SeededRandom.of(42, "b").nextLong())
        .isNotEqualTo(SeededRandom.of(43, "a").nextLong());
    for (int draw = 0; draw < 1_000; draw++) assertThat(random.chance()).isBetween(0.0, 1.0);
  }

  // --- types

  @Test
  void aTypeReferenceRemembersItsArguments() {
    TypeRef<List<String>> list = new TypeRef<>() {};
    assertThat(list).hasToString("java.util.List<java.lang.String>");
    assertThat(list).isEqualTo(new TypeRef<List<String>>() {});
    assertThat(TypeRef.of(String.class).type()).isEqualTo(String.class);
  }
}
