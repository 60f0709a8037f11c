package dev.tenure.persistence.archive;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.proof.Anchor;
import dev.tenure.persistence.proof.ChainCheck;
import dev.tenure.persistence.proof.Verified;
import dev.tenure.workflow.WorkflowId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * An archive that was read, all of it in memory.
 *
 * @param row what lists knew of the workflow
 * @param definitions of its programs that are documents
 * @param link of its newest commit, as the archive names it
 */
public record ArchivedHistory(
    WorkflowId id,
    JsonNode row,
    List<JsonNode> definitions,
    List<JournalRow> rows,
    Payloads payloads,
    ChainLink link) {
  /** Whether a file begins like an archive. */
  public static boolean isArchive(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == 0x1f && in.read() == 0x8b;
    }
  }

  /**
   * Reads all of it.
   *
   * @throws ArchiveError when it is no archive, is cut short, or is newer than this engine
   */
  public static ArchivedHistory read(Path file) {
    try (InputStream in = Files.newInputStream(file);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
      return new Reading().all(lines);
    } catch (IOException | RuntimeException e) {
      String why = e instanceof ArchiveError ? e.getMessage() : e.toString();
      throw new ArchiveError("%s is no archive: %s".formatted(file, why), e);
    }
  }

  private static final class Reading {
    private final List<JsonNode> definitions = new ArrayList<>();
    private final List<JournalRow> rows = new ArrayList<>();
    private final Map<String, byte[]> payloads = new HashMap<>();
    private WorkflowId id;
    private JsonNode row;
    private JsonNode end;

    ArchivedHistory all(BufferedReader lines) throws IOException {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode node = ArchiveFormat.parse(line, ++number);
        if (end != null) throw new ArchiveError("it goes on behind its end");
        if (number == 1) begin(node);
        else take(node);
      }
      if (end == null || row == null) throw new ArchiveError("it is cut short");
      if (end.path("commits").asLong() != rows.size()
          || end.path("payloads").asLong() != payloads.size())
        throw new ArchiveError(
            "it has %d commits and %d payloads, and says %s at its end"
                .formatted(rows.size(), payloads.size(), end));
      ChainLink link = ChainLink.parse(end.path("link").asText());
      return new ArchivedHistory(id, row, definitions, rows, this::load, link);
    }

    private void begin(JsonNode head) {
      if (!head.path("format").asText().equals(ArchiveFormat.FORMAT))
        throw new ArchiveError(
            "its first line does not say \"format\":\"%s\"".formatted(ArchiveFormat.FORMAT));
      id = new WorkflowId(head.path("workflow").asText());
    }

    /** Lines of kinds that came later are passed over. */
    private void take(JsonNode line) {
      if (line.has("row")) row = line.get("row");
      if (line.has("definition")) definitions.add(line.get("definition"));
      if (line.has("commit")) rows.add(ArchiveFormat.commit(line.get("commit"), id));
      if (line.has("payload"))
        payloads.put(
            line.get("payload").path("hash").asText(),
            Base64.getDecoder().decode(line.get("payload").path("content").asText()));
      if (line.has("end")) end = line.get("end");
    }

    private byte[] load(WorkflowId of, byte[] hash) {
      return MissingPayloadError.checked(of, hash, payloads.get(HexFormat.of().formatHex(hash)));
    }
  }

  /** Its commits; throws what says that one cannot be read. */
  public List<JournalEntry> entries() {
    return rows.stream().map(row -> JournalEntryCodec.decode(row, payloads)).toList();
  }

  /** Whether all of it is what was committed, up to the head that it names. */
  public Verified verify(List<Anchor> known) {
    List<Anchor> anchors = new ArrayList<>(known);
    anchors.add(new Anchor("the archive's end", rows.size(), link, true));
    ChainCheck check = new ChainCheck(id, payloads, anchors);
    rows.forEach(check::row);
    return check.end();
  }
}
