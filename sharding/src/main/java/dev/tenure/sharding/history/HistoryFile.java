package dev.tenure.sharding.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.entry.JournalEntrySerializer;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Start;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * A history as lines of JSON: one that says what it is, then one for each commit. {@code stored}
 * holds the exact bytes of the journal. Only they are read, and what the chain covers beside them:
 * {@code writer}. The rest of a line is for people.
 *
 * <pre>
 * {"format":"tenure-history/2","workflow":"order-17","type":"order","typeVersion":1,"run":"…","commits":3}
 * {"version":1,"at":"2026-01-01T00:00:00Z","events":["Started","Scheduled charge#1"],"writer":"…","stored":"Ag…"}
 * </pre>
 */
public final class HistoryFile {
  public static final String FORMAT = "tenure-history/2";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JournalEntrySerializer BYTES = new JournalEntrySerializer(Payloads.NONE);

  private HistoryFile() {}

  public static void write(History history, Path file) {
    try (Writer out = Files.newBufferedWriter(file)) {
      write(history, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void write(History history, Appendable out) throws IOException {
    Start start = history.start();
    ObjectNode head = JSON.createObjectNode();
    head.put("format", FORMAT);
    head.put("workflow", start.id().value());
    head.put("type", start.type().name());
    head.put("typeVersion", start.type().version());
    head.put("run", start.runId());
    head.put("commits", history.entries().size());
    out.append(JSON.writeValueAsString(head)).append('\n');
    for (JournalEntry entry : history.entries())
      out.append(JSON.writeValueAsString(line(entry))).append('\n');
  }

  private static ObjectNode line(JournalEntry entry) {
    ObjectNode line = JSON.createObjectNode();
    line.put("version", entry.head().version());
    if (!entry.events().isEmpty()) line.put("at", entry.events().getFirst().at().toString());
    entry.events().forEach(event -> line.withArray("/events").add(EventText.of(event)));
    putStored(line, entry);
    return line;
  }

  /**
   * Adds what a commit is read from.
   *
   * @return how many characters that takes
   */
  public static long putStored(ObjectNode commit, JournalEntry entry) {
    long characters = 0;
    // The bytes of the journal only name them.
    for (Payload large : entry.apart()) {
      String text = Base64.getEncoder().encodeToString(large.bytes());
      commit.withObject("/apart").put(large.fingerprint(), text);
      characters += text.length();
    }
    Authorship by = entry.authorship().orElseThrow();
    commit.put("writer", by.writer().toString());
    String stored = Base64.getEncoder().encodeToString(BYTES.toBinary(entry));
    commit.put("stored", stored);
    return characters + stored.length();
  }

  /** The history of these commits, each with what {@link #putStored} added. */
  public static History of(List<JsonNode> commits) {
    List<Line> entries = new ArrayList<>();
    for (int i = 0; i < commits.size(); i++) entries.add(step(commits.get(i), "Commit " + (i + 1)));
    return linked(entries);
  }

  /** Reads all of it; throws {@link InvalidHistoryException} when it is damaged or cut short. */
  public static History read(Path file) {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      return read(in.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InvalidHistoryException e) {
      throw new InvalidHistoryException(file + ": " + e.getMessage(), e);
    }
  }

  public static History read(List<String> lines) {
    if (lines.isEmpty()) throw new InvalidHistoryException("There is nothing in it.");
    JsonNode head = json(lines.getFirst(), 1);
    if (!head.path("format").asText().equals(FORMAT))
      throw new InvalidHistoryException(
          "Its first line does not say \"format\":\"%s\": export it with this engine."
              .formatted(FORMAT));
    int commits = head.path("commits").asInt();
    if (lines.size() - 1 != commits)
      throw new InvalidHistoryException(
          "It should have %d commits and has %d: export it again."
              .formatted(commits, lines.size() - 1));
    List<Line> entries = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++)
      entries.add(step(json(lines.get(i), i + 1), "Line " + (i + 1)));
    return linked(entries);
  }

  private static History linked(List<Line> entries) {
    try {
      return new History(ofTheirWorkflow(entries));
    } catch (InvalidHistoryException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidHistoryException(e.getMessage(), e);
    }
  }

  /** Whose history it is stands in its first commit, and nowhere else in what is read. */
  private static List<JournalEntry> ofTheirWorkflow(List<Line> lines) {
    if (lines.isEmpty()) return List.of();
    List<Event> first = lines.getFirst().entry().events();
    if (first.isEmpty() || !(first.getFirst() instanceof Event.Started started)) return List.of();
    WorkflowId id = started.start().id();
    return lines.stream().map(line -> line.entry().of(new Authorship(id, line.writer()))).toList();
  }

  /** A commit without its link, and what the link covers beside it. */
  private record Line(JournalEntry entry, UUID writer) {}

  private static Line step(JsonNode line, String where) {
    try {
      JsonNode apart = line.path("apart");
      JournalEntry entry =
          JournalEntryCodec.decode(
              Base64.getDecoder().decode(line.path("stored").asText()),
              (id, hash) ->
                  Base64.getDecoder().decode(apart.path(HexFormat.of().formatHex(hash)).asText()));
      return new Line(entry, UUID.fromString(line.path("writer").asText()));
    } catch (RuntimeException e) {
      throw new InvalidHistoryException(where + " holds no commit: " + e.getMessage(), e);
    }
  }

  private static JsonNode json(String line, int number) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new InvalidHistoryException(
          "Line " + number + " is no JSON: " + e.getOriginalMessage());
    }
  }
}
