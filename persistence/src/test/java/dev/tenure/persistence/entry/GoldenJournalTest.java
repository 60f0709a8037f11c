package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.PayloadForm;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.payload.Payloads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Rows of a journal with one entry of each kind, as an engine of the first level wrote them: read,
 * written again, and compared byte for byte. A line is a row: name, serializer, manifest, version,
 * shard, epoch, payload in base 64.
 */
class GoldenJournalTest {
  private static final String FILE = "/dev/tenure/persistence/entry/journal-1.rows";

  private record Golden(String name, JournalRow row) {}

  @Test
  void everyRowIsReadAndWrittenAgainByteForByte() throws IOException {
    List<Golden> rows = rows();
    JournalEntrySerializer serializer = new JournalEntrySerializer(Payloads.NONE);
    try (MemoryStorage storage = MemoryStorage.create(InstantSource.system())) {
      for (Golden golden : rows) {
        JournalRow row = golden.row();
        JournalEntry entry = JournalEntryCodec.decode(row, storage);
        assertThat(entry.head().version()).as(golden.name()).isEqualTo(row.version());
        assertThat(entry.fence().shard()).as(golden.name()).isEqualTo(row.shard());
        assertThat(entry.fence().epoch()).as(golden.name()).isEqualTo(row.epoch());
        assertThat(serializer.identifier()).isEqualTo(PayloadForm.ENTRIES);
        assertThat(serializer.manifest(entry)).as(golden.name()).isEqualTo(row.manifest());
        byte[] again =
            JournalEntryCodec.encode(
                entry.events(),
                entry.head(),
                entry.fence(),
                entry.previous(),
                Optional.empty(),
                FormatLevel.FIRST);
        assertThat(again).as(golden.name()).isEqualTo(row.payload());
      }
    }
    assertThat(rows.stream().map(Golden::name))
        .as("a new kind gets its row from a run with -Dtenure.golden=src/test/resources")
        .containsAll(JournalEntrySamples.events().keySet());
  }

  private static List<Golden> rows() throws IOException {
    String folder = System.getProperty("tenure.golden");
    try (InputStream in = GoldenJournalTest.class.getResourceAsStream(FILE)) {
      List<String> lines = new ArrayList<>();
      if (in != null)
        lines.addAll(new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList());
      if (folder != null) {
        addMissing(lines);
        Path path = Path.of(folder + FILE);
        Files.createDirectories(path.getParent());
        Files.writeString(path, String.join("\n", lines) + "\n");
      }
      return lines.stream().map(GoldenJournalTest::row).toList();
    }
  }

  /** What stands there stays as it is. */
  private static void addMissing(List<String> lines) {
    JournalEntrySerializer serializer = new JournalEntrySerializer(Payloads.NONE);
    List<String> known = lines.stream().map(line -> line.split("\t")[0]).toList();
    JournalEntrySamples.events()
        .forEach(
            (name, event) -> {
              if (known.contains(name)) return;
              JournalEntry entry = JournalEntrySamples.step(event);
              lines.add(
                  String.join(
                      "\t",
                      name,
                      Integer.toString(serializer.identifier()),
                      serializer.manifest(entry),
                      Long.toString(entry.head().version()),
                      Integer.toString(entry.fence().shard()),
                      Long.toString(entry.fence().epoch()),
                      Base64.getEncoder().encodeToString(entry.bytes())));
            });
  }

  private static Golden row(String line) {
    String[] columns = line.split("\t");
    return new Golden(
        columns[0],
        new JournalRow(
            "golden",
            Long.parseLong(columns[3]),
            Writers.named("writer"),
            Integer.parseInt(columns[4]),
            Long.parseLong(columns[5]),
            new PayloadForm(Integer.parseInt(columns[1]), columns[2]).column(),
            Base64.getDecoder().decode(columns[6])));
  }
}
