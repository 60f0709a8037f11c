package dev.tenure.persistence.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.proof.CommittedHistories;
import dev.tenure.persistence.proof.Finding;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive holds all of a closed workflow, and shows damage to itself. */
class ArchiverTest {
  private static CommittedHistories store;
  private static Archiver archiver;
  @TempDir private Path folder;

  @BeforeAll
  static void open() {
    store = new CommittedHistories();
    archiver = new Archiver(store.storage, store.heads());
  }

  @AfterAll
  static void close() {
    store.close();
  }

  private Path keep(WorkflowId id, String name) {
    archiver.keep(id, new FileArchive(folder), name);
    return folder.resolve(name);
  }

  @Test
  void theSameRunGivesTheSameFile() throws IOException {
    WorkflowId id = store.closed("same");
    Path one = keep(id, "one");
    Path other = keep(id, "other");
    assertThat(one).hasSameBinaryContentAs(other);
    // Kept once more in the same place.
    assertThat(keep(id, "one")).hasSameBinaryContentAs(other);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(one, other);
    }
    assertThat(lines(one).getFirst())
        .isEqualTo("{\"format\":\"tenure-archive/1\",\"workflow\":\"same\"}");
    assertThat(lines(one).get(1))
        .isEqualTo(
            "{\"row\":{\"shard\":0,\"run\":\"run-1\",\"type\":\"t\",\"typeVersion\":1,"
                + "\"status\":\"completed\",\"startedAt\":\"2026-01-01T00:00:00Z\","
                + "\"closedAt\":\"2026-01-01T00:00:00Z\","
                + "\"attributes\":{\"count\":7,\"of\":\"same\"}}}");
  }

  @Test
  void itIsReadBackWithoutTheStore() throws IOException {
    WorkflowId id = store.closed("back %\u0000");
    ArchivedHistory archived = ArchivedHistory.read(keep(id, "back"));
    assertThat(archived.id()).isEqualTo(id);
    assertThat(archived.rows())
        .usingRecursiveComparison()
        .isEqualTo(
            store.storage.read(List.of(new JournalRead("back %25%00", 1, 100, 100))).getFirst());
    List<JournalEntry> entries = archived.entries();
    assertThat(entries).hasSize(6);
    Event.Started started = (Event.Started) entries.getFirst().events().getFirst();
    assertThat(started.start().input().bytes()).isEqualTo(new byte[64 * 1024 + 1]);
    assertThat(archived.verify(List.of()).finding()).isEmpty();
    assertThat(archived.verify(List.of()).payloads()).isEqualTo(1);
  }

  @Test
  void onlyWhatHasEndedAndFitsIsArchived() {
    WorkflowId open = store.open("still open", 3);
    assertThatThrownBy(() -> keep(open, "open"))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("only what has ended");
    assertThatThrownBy(() -> keep(new WorkflowId("nobody"), "nobody"))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("there is no workflow \"nobody\"");
    WorkflowId damaged = store.closed("damaged");
    store.database.execute(
        "UPDATE event_journal SET writer = md5('x')::uuid WHERE persistence_id = 'damaged'"
            + " AND sequence_number = 3");
    assertThatThrownBy(() -> keep(damaged, "damaged"))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("damaged: version 3");
    assertThat(folder).isEmptyDirectory();
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private Path changed(Path file, UnaryOperator<String> change) throws IOException {
    Path changed = folder.resolve("changed");
    String text = change.apply(String.join("\n", lines(file)) + "\n");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(changed))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return changed;
  }

  private static Optional<Finding> finding(Path file) {
    return ArchivedHistory.read(file).verify(List.of()).finding();
  }

  @Test
  void damageToAnArchiveIsFound() throws IOException {
    Path file = keep(store.closed("hurt"), "hurt");
    assertThat(finding(changed(file, text -> text))).isEmpty();
    assertThat(
            finding(
                changed(
                    file,
                    text ->
                        text.replace(
                            Writers.named("w-3").toString(), Writers.named("w-x").toString()))))
        .hasValueSatisfying(found -> assertThat(found.version()).isEqualTo(3));
    assertThat(
            finding(
                changed(
                    file, text -> text.replace("\"workflow\":\"hurt\"", "\"workflow\":\"hurl\""))))
        .hasValueSatisfying(found -> assertThat(found.version()).isEqualTo(1));
    assertThat(
            finding(
                changed(file, text -> text.replace("\"content\":\"AAAA", "\"content\":\"AAAB"))))
        .hasValueSatisfying(found -> assertThat(found.what()).contains("is not what was stored"));
    assertThat(
            finding(
                changed(
                    file,
                    text ->
                        text.replaceAll(
                            "\"link\":\"[0-9a-f]{64}\"", "\"link\":\"" + "0".repeat(64) + "\""))))
        .hasValueSatisfying(found -> assertThat(found.version()).isEqualTo(6));
    Path cut = changed(file, text -> text.substring(0, text.lastIndexOf("{\"end\"")));
    assertThatThrownBy(() -> ArchivedHistory.read(cut))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("cut short");
    Path fewer = changed(file, text -> text.replaceFirst("\\{\"commit\":\\{\"version\":2.*\n", ""));
    assertThatThrownBy(() -> ArchivedHistory.read(fewer))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("5 commits");
    Path half = Files.write(folder.resolve("half"), Arrays.copyOf(Files.readAllBytes(file), 400));
    assertThatThrownBy(() -> ArchivedHistory.read(half)).isInstanceOf(ArchiveError.class);
  }
}
