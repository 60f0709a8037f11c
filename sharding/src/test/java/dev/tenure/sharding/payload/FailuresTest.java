package dev.tenure.sharding.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.StepFailedException;
import dev.tenure.workflow.WorkflowFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which exceptions come back as they were thrown, and which as a record. */
class FailuresTest {
  private static final ClassLoader LOADER = FailuresTest.class.getClassLoader();

  static class WithCauseOnly extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WithCauseOnly(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static class ClosedCause extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClosedCause(String message) {
      super(message, null);
    }
  }

  static class Constant extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int status = 42;
    final List<String> details = List.of();

    Constant() {
      super("as ever");
    }
  }

  static class Status extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int status;

    Status(String message) {
      this(message, 0);
    }

    Status(String message, int status) {
      super(message);
      this.status = status;
    }
  }

  /** Its message is made of what no constructor with a message gives it. */
  static class Response extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final List<String> lines;

    Response(String message) {
      super(message);
      this.lines = null;
    }

    Response(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public String getMessage() {
      return lines.getFirst();
    }
  }

  static Stream<Throwable> faithful() {
    return Stream.of(
        new IllegalStateException("x"),
        new IllegalStateException("x", new IOException("below")),
        new IllegalStateException(),
        new IOException("x"),
        new ConnectException("refused"),
        new NoSuchFileException("/tmp/x"),
        new SQLException("plain"),
        new WithCauseOnly("x", null),
        new Constant(),
        new Status("x"),
        new IllegalArgumentException("long ".repeat(2_000)),
        WorkflowFailure.permanent("E7", "x"),
        WorkflowFailure.retryable(null, "x"));
  }

  @ParameterizedTest
  @MethodSource("faithful")
  void whatIsItsMessageAndNoMoreComesBackAsItWas(Throwable thrown) {
    Failure failure = Failures.of(thrown, LOADER);
    assertThat(failure.form()).isEqualTo(Failure.Form.EXCEPTION);
    Throwable back = Failures.asRecorded(failure, "Step s#1", LOADER);
    assertThat(back.getClass()).isEqualTo(thrown.getClass());
    if (back instanceof WorkflowFailure again)
      assertThat(again.code()).isEqualTo(((WorkflowFailure) thrown).code());
    else
      assertThat(back)
          .hasMessage(
              Failure.cut(thrown.getMessage(), Failure.MESSAGE_CHARS_MAX).isEmpty()
                  ? null
                  : failure.message())
          .hasCauseInstanceOf(StepFailedException.class)
          .hasStackTraceContaining("FailuresTest");
  }

  static Stream<Throwable> records() {
    return Stream.of(
        new UncheckedIOException("x", new IOException("below")),
        new FileSystemException("/tmp/a", "/tmp/b", "no"),
        new SQLException("twice", "23505", 7),
        new Status("x", 404),
        new ClosedCause("x"),
        new Response(List.of("404")),
        new CancelledException("a step is not cancelled by what it throws"),
        new StepFailedException("inner", Failure.permanent("T", "m")));
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatKnowsMoreOrCannotBeMadeComesBackAsARecord(Throwable thrown) {
    Failure failure = Failures.of(thrown, LOADER);
    assertThat(failure.form()).isEqualTo(Failure.Form.RECORD);
    Throwable back = Failures.asRecorded(failure, "Step s#1", LOADER);
    assertThat(back).isInstanceOf(StepFailedException.class);
    assertThat(back.getMessage()).startsWith("Step s#1: " + failure.type());
  }

  @Test
  void errorsAndValuesThatCannotBeKeptAreDefects() {
    for (Throwable defect :
        List.of(
            new OutOfMemoryError("heap"),
            new AssertionError("x"),
            new NoClassDefFoundError("x"),
            new PayloadConversionException("x")))
      assertThat(Failures.of(defect, LOADER).form()).isEqualTo(Failure.Form.DEFECT);
  }

  @Test
  void aFailureThatHadNoEffectSaysSoAlsoAfterItWasRecorded() {
    for (WorkflowFailure thrown :
        List.of(
            WorkflowFailure.permanent("declined", "no"),
            WorkflowFailure.retryable("busy", "later"))) {
      assertThat(Failures.of(thrown).outside()).isEqualTo(Failure.OutsideEffect.POSSIBLE);
      Failure recorded = Failures.of(thrown.withoutEffect(), LOADER);
      assertThat(recorded.outside()).isEqualTo(Failure.OutsideEffect.NONE);
      assertThat(recorded.retryable()).isEqualTo(thrown.isRetryable());
      assertThat(Failures.toThrowable(recorded, "It", LOADER))
          .isInstanceOfSatisfying(
              WorkflowFailure.class,
              again -> {
                assertThat(again.outside()).isEqualTo(Failure.OutsideEffect.NONE);
                assertThat(again.code()).isEqualTo(thrown.code());
                assertThat(again).hasMessage(thrown.getMessage());
              });
    }
  }

  @Test
  void anExceptionThatIsGoneIsAFaultThatNamesIt() {
    Failure gone =
        new Failure(
                "com.acme.Gone",
                "x",
                java.util.Optional.empty(),
                true,
                "",
                java.util.Optional.empty())
            .as(Failure.Form.EXCEPTION);
    assertThatThrownBy(() -> Failures.asRecorded(gone, "Step s#1", LOADER))
        .isInstanceOf(CodeFault.class)
        .hasMessageContaining("Step s#1")
        .hasMessageContaining("com.acme.Gone");
    // Who only wants to see it, as a client does, sees the record.
    assertThat(Failures.toThrowable(gone, "It", LOADER)).isInstanceOf(StepFailedException.class);
  }
}
