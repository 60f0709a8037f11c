package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tokens as workers keep them: whatever comes back is a token or nothing, never a failure. */
class TaskTokenTextTest {
  private static final TaskToken TOKEN = token("order-17", "r1/ship#2/label#1");

  private static TaskToken token(String workflow, String operation) {
    return new TaskToken(new TaskId(WorkflowId.of(workflow), operation), 3, 99, "secret_-09AZaz");
  }

  @Test
  void aTokenSurvivesAsTextThatNeedsNoEscape() {
    for (TaskToken token :
        List.of(
            TOKEN,
            token("日本 / : % \u0000 \"", "r/ü#1"),
            token("x".repeat(WorkflowId.BYTES_MAX), "r/" + "y".repeat(1_022) + "#1"))) {
      String text = TaskTokenText.of(token);
      assertThat(text).matches("[A-Za-z0-9_-]+").hasSizeLessThan(TaskTokenText.CHARS_MAX);
      assertThat(TaskTokenText.parse(text)).contains(token);
    }
  }

  @Test
  void theLongestTokenFits() {
    String operation = "r".repeat(128) + "/" + "é".repeat(OperationId.BYTES_MAX / 2 - 1) + "#1";
    TaskToken longest = token("é".repeat(WorkflowId.BYTES_MAX / 2), operation);
    assertThat(TaskTokenText.of(longest)).hasSizeLessThan(TaskTokenText.CHARS_MAX);
    assertThat(TaskTokenText.parse(TaskTokenText.of(longest))).contains(longest);
  }

  @Test
  void whatIsNoTokenIsNone() {
    String text = TaskTokenText.of(TOKEN);
    for (String wrong :
        List.of(
            "",
            "x",
            "null",
            "a b",
            "%00",
            "../",
            "'; DROP TABLE task",
            "é",
            text.substring(1),
            text.substring(0, text.length() - 4),
            text + text,
            text + "!",
            "A".repeat(TaskTokenText.CHARS_MAX + 1),
            encoded(new byte[] {1, 1, 0}),
            encoded(new byte[] {1, 2, 0}),
            encoded(new byte[] {9, 1, 0}))) {
      assertThat(TaskTokenText.parse(wrong)).as(wrong).isEmpty();
    }
    // A name that the database could not hold, or that no workflow has.
    assertThat(TaskTokenText.parse(TaskTokenText.of(token("w", "")))).isEmpty();
    assertThat(TaskTokenText.parse(TaskTokenText.of(token("w", "r/\ud800#1")))).isEmpty();
    assertThat(TaskTokenText.parse(TaskTokenText.of(token("w", "x".repeat(2_000))))).isEmpty();
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Test
  void noBytesAtAllMakeItFail() {
    long seed = Long.getLong("tenure.fuzz.seed", new Random().nextLong());
    Random random = new Random(seed);
    byte[] good = Base64.getUrlDecoder().decode(TaskTokenText.of(TOKEN));
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length * 2));
      for (int change = random.nextInt(4); change >= 0 && bytes.length > 0; change--)
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      try {
        TaskTokenText.parse(encoded(bytes));
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + Arrays.toString(bytes), e);
      }
    }
  }

  @Test
  void secretsAreLongAndNeverTheSame() {
    TaskSecrets secrets = new TaskSecrets(new SecureRandom());
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      String secret = secrets.next();
      assertThat(secret).matches("[A-Za-z0-9_-]{24}");
      assertThat(seen.add(secret)).isTrue();
    }
  }
}
