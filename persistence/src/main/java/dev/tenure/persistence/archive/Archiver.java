package dev.tenure.persistence.archive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.proof.Anchor;
import dev.tenure.persistence.proof.ChainCheck;
import dev.tenure.persistence.proof.Finding;
import dev.tenure.persistence.proof.Heads;
import dev.tenure.persistence.proof.HistoryVerification;
import dev.tenure.persistence.proof.RecordedHead;
import dev.tenure.persistence.proof.Verified;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Event;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what the store has of a closed workflow into an archive. The same workflow gives the same
 * bytes. A history that does not fit is not archived: its archive would only hide that.
 */
public final class Archiver {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** What was archived. */
  public record Archived(long commits, long payloads, String link) {}

  private final Storage storage;
  private final Heads heads;

  public Archiver(Storage storage, Heads heads) {
    this.storage = storage;
    this.heads = heads;
  }

  /**
   * Archives it, and keeps the archive there under that name. Blocks.
   *
   * @throws ArchiveError when it is not there, is not closed or is damaged; nothing was kept
   */
  public Archived keep(WorkflowId id, Archive archive, String name) {
    Path spool = null;
    try {
      spool = Files.createTempFile("tenure-", ".archive");
      Archived archived;
      try (OutputStream out = Files.newOutputStream(spool)) {
        archived = write(id, out);
      }
      archive.keep(name, spool);
      return archived;
    } catch (IOException e) {
      throw new ArchiveError("the archive of %s cannot be written: %s".formatted(id, e), e);
    } finally {
      delete(spool);
    }
  }

  private static void delete(Path spool) {
    try {
      if (spool != null) Files.deleteIfExists(spool);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the archive's bytes. What was written before this method threw is no archive. */
  public Archived write(WorkflowId id, OutputStream out) throws IOException {
    WorkflowRow row =
        storage
            .workflows()
            .find(id)
            .orElseThrow(() -> new ArchiveError("there is no workflow \"%s\"".formatted(id)));
    if (row.closedAt().isEmpty())
      throw new ArchiveError(
          "workflow \"%s\" is %s: only what has ended is archived".formatted(id, row.status()));
    Optional<RecordedHead> recorded = heads.find(id);
    List<Anchor> anchors = recorded.flatMap(RecordedHead::anchor).map(List::of).orElse(List.of());
    OneWorkflow one = new OneWorkflow(id, new GZIPOutputStream(out, BUFFER_BYTES), anchors);
    try {
      one.line(ArchiveFormat.head(id));
      one.line(ArchiveFormat.row(row));
      HistoryVerification.rows(storage, id, one::commit);
      if (!one.fits() && !heads.find(id).equals(recorded))
        throw new ArchiveError(
            "workflow \"%s\" was started again or removed while it was archived".formatted(id));
      return one.end();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private final class OneWorkflow {
    private final Writer out;
    private final GZIPOutputStream compressed;
    private final ChainCheck check;
    private final Set<String> payloads = new HashSet<>();
    private final Set<WorkflowType> types = new LinkedHashSet<>();

    /** Of the newest run. */
    private String name = "";

    OneWorkflow(WorkflowId id, GZIPOutputStream compressed, List<Anchor> anchors) {
      this.compressed = compressed;
      this.out = new OutputStreamWriter(compressed, StandardCharsets.UTF_8);
      this.check = new ChainCheck(id, storage.payloads(), anchors);
    }

    void line(ObjectNode line) {
      try {
        out.write(ArchiveFormat.text(line));
        out.write('\n');
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Payloads stand before the first commit that names them. */
    void commit(JournalRow row) {
      check.row(row);
      if (!check.fits()) return;
      JournalEntry entry = JournalEntryCodec.decode(row, storage.payloads());
      for (Payload payload : entry.apart())
        if (payloads.add(payload.fingerprint()))
          line(ArchiveFormat.payload(payload.fingerprint(), payload.bytes()));
      for (Event event : entry.events()) note(event);
      line(ArchiveFormat.commit(row));
    }

    private void note(Event event) {
      if (event instanceof Event.BeginsRun first) {
        name = first.start().type().name();
        types.add(first.start().type());
      }
      if (event instanceof Event.Repinned moved) types.add(new WorkflowType(name, moved.version()));
    }

    boolean fits() {
      return check.end().finding().isEmpty();
    }

    Archived end() throws IOException {
      Verified verified = check.end();
      if (verified.finding().isPresent()) throw damaged(verified.finding().get());
      for (WorkflowType type : types)
        if (type.isDecided())
          storage.definitions().find(type).map(ArchiveFormat::definition).ifPresent(this::line);
      String link = verified.link().map(Object::toString).orElse("");
      line(ArchiveFormat.end(verified.commits(), payloads.size(), link));
      out.flush();
      compressed.finish();
      return new Archived(verified.commits(), payloads.size(), link);
    }
  }

  private static ArchiveError damaged(Finding finding) {
    return new ArchiveError("the history is damaged and was not archived: " + finding);
  }
}
