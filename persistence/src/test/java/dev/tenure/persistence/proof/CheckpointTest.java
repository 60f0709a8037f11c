package dev.tenure.persistence.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.archive.Archiver;
import dev.tenure.persistence.archive.FileArchive;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.retention.ClosedWorkflow;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.workflow.WorkflowId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signed checkpoint that stands outside of the store, and what a stranger can make of it. */
class CheckpointTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Path VERIFIER =
      Path.of(System.getProperty("tenure.build"), "../../docs/reference/verify_proof.py")
          .normalize();

  @TempDir private static Path folder;
  private static CommittedHistories store;
  private static CheckpointKey key;
  private static Path publicKey;
  private static Path checkpoint;
  private static SignedRoot signed;

  @BeforeAll
  static void sign() throws Exception {
    store = new CommittedHistories();
    for (String name : List.of("a", "b", "c %", "d", "e")) store.closed(name);
    store.open("open", 4);
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    key = CheckpointKey.read(pem("private", "PRIVATE KEY", pair.getPrivate().getEncoded()));
    publicKey = pem("public", "PUBLIC KEY", pair.getPublic().getEncoded());
    checkpoint = folder.resolve("checkpoint");
    signed = Checkpoint.write(checkpoint, new NewestHeads(store.storage.histories()), key, NOW);
  }

  @AfterAll
  static void close() {
    store.close();
  }

  private static Path pem(String name, String what, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }

  @Test
  void itIsSignedWithTheKey() throws IOException {
    assertThat(signed.heads()).isEqualTo(6);
    assertThat(Checkpoint.verify(checkpoint).rootText()).isEqualTo(signed.rootText());
    assertThatCode(() -> signed.requireBy(CheckpointKey.readPublic(publicKey)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> signed.requireBy(new byte[32]))
        .isInstanceOf(ProofError.class)
        .hasMessageContaining(signed.keyText());
    Path noKey = Files.writeString(folder.resolve("no-key"), "a secret");
    assertThatThrownBy(() -> CheckpointKey.read(noKey))
        .isInstanceOf(ProofError.class)
        .hasMessageNotContaining("a secret");
  }

  private static Path changed(UnaryOperator<String> change) throws IOException {
    Path changed = folder.resolve("changed");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(checkpoint));
        OutputStream out = new GZIPOutputStream(Files.newOutputStream(changed))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String other = change.apply(text);
      assertThat(other).isNotEqualTo(text);
      out.write(other.getBytes(StandardCharsets.UTF_8));
    }
    return changed;
  }

  @Test
  void aChangeOfItIsFound() throws IOException {
    List<UnaryOperator<String>> changes =
        List.of(
            text -> text.replaceFirst("\"version\":6", "\"version\":5"),
            text -> text.replaceFirst("\"id\":\"b\"", "\"id\":\"x\""),
            text -> text.replaceFirst("(?m)^\\{\"id\":\"b\".*\n", ""),
            text -> text.replace("03:04:05", "03:04:06"),
            text -> text.substring(0, text.lastIndexOf('{')),
            text -> text + "{}\n");
    for (UnaryOperator<String> change : changes) {
      Path changed = changed(change);
      assertThatThrownBy(() -> Checkpoint.verify(changed)).isInstanceOf(ProofError.class);
    }
  }

  @Test
  void headsThatMovedBackOrVanishedAreNamed() {
    try (CommittedHistories own = new CommittedHistories()) {
      for (String name : List.of("back", "fits", "gone", "other")) own.closed(name);
      own.open("on", 2);
      Path file = folder.resolve("own");
      Checkpoint.write(file, new NewestHeads(own.storage.histories()), key, NOW);
      assertThat(verify(own, file)).isEmpty();

      own.database.execute(
          "DELETE FROM event_journal WHERE persistence_id = 'back' AND sequence_number >" + " 3");
      own.database.execute("DELETE FROM event_journal WHERE persistence_id = 'gone'");
      own.database.execute("DELETE FROM workflow_closed WHERE id = 'gone'");
      // Who sets the journal back can set back the rows beside it.
      own.database.execute("UPDATE workflow_closed SET head_version = NULL, head_link = NULL");
      own.database.execute(
          "UPDATE event_journal SET writer = md5('x')::uuid WHERE persistence_id = 'other'"
              + " AND sequence_number = 6");
      assertThat(verify(own, file))
          .satisfiesExactly(
              back -> assertThat(back).startsWith("back: version 4 is missing: the checkpoint"),
              other -> assertThat(other).startsWith("other: version 6 is another commit"),
              gone -> assertThat(gone).startsWith("gone: version 1 is missing with its whole"));
    }
  }

  /** The whole of one, and the first commits of another. */
  @Test
  void whatRetentionRemovesIsNoDamage() {
    try (CommittedHistories own = new CommittedHistories()) {
      WorkflowId gone = own.closed("gone");
      own.closed("going");
      own.closed("stays");
      Path file = folder.resolve("removed");
      Checkpoint.write(file, new NewestHeads(own.storage.histories()), key, NOW);
      List<ClosedWorkflow> all =
          own.storage.removals().closed(Removals.Place.BEGINNING, Instant.now(), 10);
      List<ClosedWorkflow> one = all.stream().filter(each -> each.id().equals(gone)).toList();
      assertThat(own.storage.removals().remove(one, Duration.ofDays(36_500))).isOne();
      own.database.execute("DELETE FROM workflow_closed WHERE id = 'going'");
      own.database.execute(
          "INSERT INTO workflow_removed (free_at, rows_left, id) VALUES (now(), true, 'going')");
      own.database.execute(
          "DELETE FROM event_journal WHERE persistence_id = 'going' AND sequence_number < 3");
      assertThat(verify(own, file)).isEmpty();
      assertThat(
              HistoryVerification.of(own.storage, own.heads(), new WorkflowId("going"), List.of()))
          .isEmpty();

      own.database.execute("DELETE FROM workflow_removed");
      assertThat(verify(own, file))
          .satisfiesExactly(
              going -> assertThat(going).startsWith("going: version 1 is missing: version 3"),
              whole -> assertThat(whole).startsWith("gone: version 1 is missing with its whole"));
    }
  }

  private static List<String> verify(CommittedHistories own, Path file) {
    List<String> found = new ArrayList<>();
    StoreVerification.Listener listener =
        new StoreVerification.Listener() {
          @Override
          public void found(Finding finding) {
            found.add(finding.toString());
          }

          @Override
          public void progress(StoreVerification.Summary soFar, String upTo) {}
        };
    try (KnownHeads known = new KnownHeads(file)) {
      new StoreVerification(own.storage.histories(), 2, known, listener).run("");
    }
    return found;
  }

  @Test
  void aProofHoldsForItsHeadOnly() throws IOException {
    for (String id : List.of("a", "c %", "open")) {
      InclusionProof proof = Checkpoint.prove(checkpoint, new WorkflowId(id));
      Path file = Files.writeString(folder.resolve("proof"), proof.json().toString());
      InclusionProof read = InclusionProof.read(file);
      assertThatCode(read::verify).doesNotThrowAnyException();
      CheckpointHead head = read.head();
      CheckpointHead other = new CheckpointHead(head.id(), head.version() - 1, head.link());
      InclusionProof wrong =
          new InclusionProof(read.checkpoint(), other, read.index(), read.path());
      assertThatThrownBy(wrong::verify)
          .isInstanceOf(ProofError.class)
          .hasMessageContaining("is not in the checkpoint");
    }
    assertThatThrownBy(() -> Checkpoint.prove(checkpoint, new WorkflowId("nobody")))
        .isInstanceOf(ProofError.class)
        .hasMessageContaining("nobody");
  }

  /** The program of the reference, which has nothing of ours. */
  @Test
  void aStrangerVerifiesAnArchiveAndItsProof() throws Exception {
    Assumptions.assumeTrue(hasPython(), "python3 is not installed");
    WorkflowId id = new WorkflowId("c %");
    new Archiver(store.storage, store.heads()).keep(id, new FileArchive(folder), "archive");
    Path archive = folder.resolve("archive");
    InclusionProof proof = Checkpoint.prove(checkpoint, id);
    Path file = Files.writeString(folder.resolve("strange"), proof.json().toString());
    assertThat(python(archive)).startsWith("0 fits: c % 6 commits, head " + proof.head().link());
    assertThat(python(archive, file, Path.of(signed.keyText()))).startsWith("0 fits");
    assertThat(python(archive, file, Path.of("00"))).contains("1 does not fit: the key");

    Path other = folder.resolve("other-archive");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(archive));
        OutputStream out = new GZIPOutputStream(Files.newOutputStream(other))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      out.write(
          text.replace(Writers.named("w-3").toString(), Writers.named("w-x").toString())
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(python(other)).isEqualTo("1 does not fit: version 4");
    assertThat(python(archive, changedProof(proof, "\"createdAt\":\"2026", "\"createdAt\":\"2025")))
        .isEqualTo("1 does not fit: the signature");
    assertThat(python(archive, changedProof(proof, "\"index\":2", "\"index\":3")))
        .isEqualTo("1 does not fit: the root");
    InclusionProof another = Checkpoint.prove(checkpoint, new WorkflowId("b"));
    Path strange = Files.writeString(folder.resolve("another"), another.json().toString());
    assertThat(python(archive, strange)).isEqualTo("1 does not fit: the head of the proof");
  }

  private static Path changedProof(InclusionProof proof, String from, String to)
      throws IOException {
    String text = proof.json().toString();
    assertThat(text).contains(from);
    return Files.writeString(folder.resolve("changed-proof"), text.replace(from, to));
  }

  private static boolean hasPython() {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Its exit code, and what it said. */
  private static String python(Path... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", VERIFIER.toString()));
    for (Path argument : arguments) command.add(argument.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + " " + said.strip();
  }
}
