package dev.tenure.persistence.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.WorkflowId;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/**
 * The lines of an archive. They stand in {@code docs/reference/archive.md}: a change that a reader
 * of today would misunderstand gets another {@link #FORMAT}; what is new is a new field or line.
 */
final class ArchiveFormat {
  static final String FORMAT = "tenure-archive/1";

  private static final ObjectMapper JSON = new ObjectMapper();

  private ArchiveFormat() {}

  static String text(ObjectNode line) {
    try {
      return JSON.writeValueAsString(line);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }

  static JsonNode parse(String line, long number) {
    try {
      JsonNode node = JSON.readTree(line);
      if (node.isObject()) return node;
    } catch (JsonProcessingException e) {
      // said below
    }
    throw new ArchiveError("line %d of the archive is no JSON object".formatted(number));
  }

  static ObjectNode head(WorkflowId id) {
    return object().put("format", FORMAT).put("workflow", id.value());
  }

  static ObjectNode row(WorkflowRow row) {
    ObjectNode fields = object();
    fields.put("shard", row.shard());
    fields.put("run", row.runId());
    fields.put("type", row.type().name());
    fields.put("typeVersion", row.type().version());
    fields.put("status", row.status().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    fields.put("startedAt", row.startedAt().toString());
    row.closedAt().ifPresent(at -> fields.put("closedAt", at.toString()));
    row.parent().ifPresent(parent -> fields.put("parent", parent.value()));
    ObjectNode attributes = fields.putObject("attributes");
    row.attributes().values().forEach((name, value) -> attributes.set(name, value(value)));
    return line("row", fields);
  }

  private static JsonNode value(Attribute attribute) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (attribute) {
      case Attribute.OfText text -> nodes.textNode(text.value());
      case Attribute.OfLong number -> nodes.numberNode(number.value());
      case Attribute.OfDouble number -> nodes.numberNode(number.value());
      case Attribute.OfBoolean truth -> nodes.booleanNode(truth.value());
      case Attribute.OfInstant time -> nodes.textNode(time.value().toString());
      case Attribute.OfTexts texts -> {
        var array = nodes.arrayNode();
        texts.values().forEach(array::add);
        yield array;
      }
      case Attribute.Removed removed -> nodes.nullNode();
    };
  }

  static ObjectNode definition(Definition definition) {
    return line(
        "definition",
        object()
            .put("name", definition.type().name())
            .put("version", definition.type().version())
            .put("kind", definition.kind().toString())
            .put("hash", HexFormat.of().formatHex(definition.hash())));
  }

  static ObjectNode payload(String hash, byte[] content) {
    return line(
        "payload",
        object().put("hash", hash).put("content", Base64.getEncoder().encodeToString(content)));
  }

  static ObjectNode commit(JournalRow row) {
    return line(
        "commit",
        object()
            .put("version", row.version())
            .put("shard", row.shard())
            .put("epoch", row.epoch())
            .put("writer", row.writer().toString())
            .put("manifest", row.manifest())
            .put("stored", Base64.getEncoder().encodeToString(row.payload())));
  }

  static JournalRow commit(JsonNode fields, WorkflowId id) {
    return new JournalRow(
        JournalKey.of(id),
        fields.path("version").asLong(),
        UUID.fromString(fields.path("writer").asText()),
        fields.path("shard").asInt(),
        fields.path("epoch").asLong(),
        fields.path("manifest").asText(),
        Base64.getDecoder().decode(fields.path("stored").asText()));
  }

  static ObjectNode end(long commits, long payloads, String link) {
    return line(
        "end", object().put("commits", commits).put("payloads", payloads).put("link", link));
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode line(String name, ObjectNode fields) {
    ObjectNode line = object();
    line.set(name, fields);
    return line;
  }
}
