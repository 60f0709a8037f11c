package dev.tenure.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.http.access.Access.Guarded;
import dev.tenure.http.fault.ApiFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys are given out and taken back while the node runs. */
class RotatingTest {
  private static final String OLD = "an-old-key-of-more-than-thirty-two-characters";
  private static final String NEW = "a-new-key-of-more-than-thirty-two-characters";

  @TempDir Path folder;
  private final AtomicInteger reads = new AtomicInteger();
  private Path file;
  private Rotating access;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("keys.json");
    write(OLD);
    access =
        new Rotating(
            List.of(file),
            () -> {
              reads.incrementAndGet();
              return new Guarded(ApiKeys.read(file), Optional.empty());
            });
  }

  private void write(String key) throws IOException {
    Files.writeString(
        file,
        "{\"keys\":[{\"name\":\"k\",\"sha256\":\"%s\",\"scopes\":[\"client\"]}]}"
            .formatted(ApiKeys.hashOf(key)));
  }

  private void letsIn(String key) {
    assertThat(access.caller(Optional.of("Bearer " + key)).name()).isEqualTo("k");
  }

  private void refuses(String key) {
    assertThatExceptionOfType(ApiFault.class)
        .isThrownBy(() -> access.caller(Optional.of("Bearer " + key)));
  }

  @Test
  void aNewKeyIsTakenAndTheOldOneIsNot() throws IOException {
    letsIn(OLD);
    write(NEW);
    letsIn(OLD);
    access.look();
    letsIn(NEW);
    refuses(OLD);
    assertThat(reads).hasValue(2);
  }

  @Test
  void whatDidNotChangeIsNotReadAgain() throws IOException {
    access.look();
    write(OLD);
    access.look();
    assertThat(reads).hasValue(1);
  }

  @Test
  void aFileThatCannotBeUsedChangesNothingUntilItIsMended() throws IOException {
    Files.writeString(file, "{\"keys\":[{\"name\":");
    access.look();
    letsIn(OLD);
    Files.delete(file);
    access.look();
    letsIn(OLD);
    write(NEW);
    access.look();
    letsIn(NEW);
    refuses(OLD);
  }

  @Test
  void oneThatCannotBeUsedAtTheStartEndsTheStart() throws IOException {
    Files.writeString(file, "[]");
    assertThatExceptionOfType(AccessError.class)
        .isThrownBy(
            () ->
                new Rotating(
                    List.of(file), () -> new Guarded(ApiKeys.read(file), Optional.empty())));
  }
}
