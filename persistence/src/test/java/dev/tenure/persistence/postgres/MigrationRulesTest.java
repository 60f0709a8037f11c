package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a migration may do to tables that hold rows already, and that nodes work on meanwhile. */
class MigrationRulesTest {
  /** The newest that was written before this rule. */
  private static final int FREE_UP_TO = 11;

  private static final Pattern VERSION = Pattern.compile("V(\\d+)__.*\\.sql");
  private static final Pattern INDEX =
      Pattern.compile("create\\s+(unique\\s+)?index\\s+(concurrently\\s+)?.*?\\son\\s+(\\w+)");

  /** Indexes that would be built under a lock which stops all commits to their table. */
  private static List<String> lockingIndexes(String script) {
    String sql = script.replaceAll("--[^\\n]*", "").toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>();
    for (String statement : sql.split(";")) {
      Matcher index = INDEX.matcher(statement.strip().replaceAll("\\s+", " "));
      if (!index.lookingAt() || index.group(2) != null) continue;
      if (!sql.contains("create table " + index.group(3))) found.add(statement.strip());
    }
    return found;
  }

  @Test
  void anIndexOnATableThatIsThereIsBuiltConcurrently() throws IOException, URISyntaxException {
    Path folder =
        Path.of(
            Objects.requireNonNull(
                    Migrations.class.getClassLoader().getResource("dev/tenure/migrations"))
                .toURI());
    List<String> found = new ArrayList<>();
    int looked = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Matcher version = VERSION.matcher(file.getFileName().toString());
        if (!version.matches()) continue;
        looked++;
        if (Integer.parseInt(version.group(1)) > FREE_UP_TO)
          found.addAll(lockingIndexes(Files.readString(file)));
      }
    }
    assertThat(looked).isGreaterThanOrEqualTo(FREE_UP_TO);
    assertThat(found)
        .as("CREATE INDEX without CONCURRENTLY (docs/decisions/migrations-with-flyway.md)")
        .isEmpty();
  }

  @Test
  void theRuleFindsWhatItForbids() {
    assertThat(lockingIndexes("-- why\nCREATE INDEX a\n  ON workflow (id);")).hasSize(1);
    assertThat(lockingIndexes("CREATE UNIQUE INDEX a ON workflow (id) WHERE id > 'b';")).hasSize(1);
    assertThat(lockingIndexes("CREATE INDEX CONCURRENTLY a ON workflow (id);")).isEmpty();
    assertThat(lockingIndexes("CREATE TABLE t (a int); CREATE INDEX i ON t (a);")).isEmpty();
  }
}
