package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a migration may do to tables that hold rows already, and that nodes work on meanwhile. */
class MigrationRulesTest {
  /** The newest that was written before the rule of indexes. */
  private static final int FREE_UP_TO = 11;

  /**
   * The first that has to keep all rules. Those before it make the store that is released first, so
   * no node works on their tables meanwhile.
   */
  private static final int ONLINE_FROM = 18;

  private static final Pattern VERSION = Pattern.compile("V(\\d+)__.*\\.sql");

  private static List<String> foundFrom(
      int version, Function<MigrationScript, List<String>> rule, int atLeast)
      throws IOException, URISyntaxException {
    Path folder =
        Path.of(
            Objects.requireNonNull(
                    Migrations.class.getClassLoader().getResource("dev/tenure/migrations"))
                .toURI());
    List<String> found = new ArrayList<>();
    int looked = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Matcher name = VERSION.matcher(file.getFileName().toString());
        if (!name.matches()) continue;
        looked++;
        MigrationScript script = MigrationScript.of(Files.readString(file));
        assertThat(script.statements()).as(name.group()).isNotEmpty();
        if (Integer.parseInt(name.group(1)) >= version)
          for (String each : rule.apply(script)) found.add(name.group() + " " + each);
      }
    }
    assertThat(looked).isGreaterThanOrEqualTo(atLeast);
    return found;
  }

  @Test
  void anIndexOnATableThatIsThereIsBuiltConcurrently() throws IOException, URISyntaxException {
    assertThat(foundFrom(ONLINE_FROM, MigrationScript::lockingIndexes, FREE_UP_TO))
        .as("CREATE INDEX without CONCURRENTLY (docs/decisions/online-migrations.md)")
        .isEmpty();
  }

  @Test
  void aMigrationRunsBesideCommits() throws IOException, URISyntaxException {
    assertThat(foundFrom(ONLINE_FROM, MigrationScript::violations, FREE_UP_TO))
        .as("docs/decisions/online-migrations.md")
        .isEmpty();
  }

  /** The scripts from before the rules break some: they would be found. */
  @Test
  void theRulesFindWhatWasWrittenBeforeThem() throws IOException, URISyntaxException {
    assertThat(foundFrom(1, MigrationScript::violations, FREE_UP_TO))
        .anyMatch(each -> each.startsWith("V4__") && each.contains("event_journal_runs"));
  }

  private static List<String> lockingIndexes(String script) {
    return MigrationScript.of(script).lockingIndexes();
  }

  @Test
  void theRuleFindsWhatItForbids() {
    assertThat(lockingIndexes("-- why\nCREATE INDEX a\n  ON workflow (id);")).hasSize(1);
    assertThat(lockingIndexes("CREATE UNIQUE INDEX a ON workflow (id) WHERE id > 'b';")).hasSize(1);
    assertThat(lockingIndexes("CREATE INDEX CONCURRENTLY a ON workflow (id);")).isEmpty();
    assertThat(lockingIndexes("CREATE TABLE t (a int); CREATE INDEX i ON t (a);")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX i ON workflow (id);",
        "CREATE INDEX CONCURRENTLY i ON workflow (id);",
        "DROP INDEX CONCURRENTLY IF EXISTS j; CREATE INDEX CONCURRENTLY i ON workflow (id);",
        "DROP INDEX i;",
        "ALTER TABLE workflow ALTER COLUMN id TYPE varchar;",
        "ALTER TABLE workflow ALTER id SET DATA TYPE varchar;",
        "ALTER TABLE workflow ALTER COLUMN parent SET NOT NULL;",
        "ALTER TABLE workflow ADD COLUMN n bigserial;",
        "ALTER TABLE workflow ADD COLUMN n timestamptz DEFAULT clock_timestamp();",
        "ALTER TABLE workflow ADD COLUMN n int GENERATED ALWAYS AS IDENTITY;",
        "ALTER TABLE workflow ADD COLUMN n int UNIQUE;",
        "ALTER TABLE workflow ADD CONSTRAINT c CHECK (shard >= 0);",
        "ALTER TABLE workflow ADD CONSTRAINT c UNIQUE (number);",
        "ALTER TABLE workflow DROP COLUMN parent;",
        "ALTER TABLE workflow RENAME COLUMN parent TO mother;",
        "ALTER TABLE workflow ADD COLUMN a int; ALTER TABLE incident ADD COLUMN a int;",
        "UPDATE workflow SET parent = NULL;",
        "DELETE FROM signal_response WHERE version < 1;",
        "VACUUM FULL workflow;",
        "LOCK TABLE workflow;",
        "DROP TABLE workflow;",
        "REINDEX TABLE workflow;"
      })
  void whatStopsCommitsIsFound(String script) {
    assertThat(MigrationScript.of(script).violations()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE workflow ADD COLUMN a integer; -- DROP TABLE workflow;",
        "ALTER TABLE workflow ADD COLUMN a bigint NOT NULL DEFAULT 0;",
        "ALTER TABLE workflow ADD COLUMN a text DEFAULT 'alter table x drop column y;';",
        "ALTER TABLE workflow ADD CONSTRAINT c CHECK (shard >= 0) NOT VALID;",
        "ALTER TABLE workflow VALIDATE CONSTRAINT c;",
        "ALTER TABLE workflow ADD CONSTRAINT c UNIQUE USING INDEX i;",
        "ALTER TABLE workflow SET (fillfactor = 70); ALTER TABLE incident SET (fillfactor = 70);",
        "DROP INDEX CONCURRENTLY IF EXISTS i; CREATE INDEX CONCURRENTLY i ON workflow (id);",
        "CREATE TABLE t (a int NOT NULL UNIQUE); CREATE INDEX i ON t (a); INSERT INTO t VALUES"
            + " (1);",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE w SET a = 1; END"
            + " $$;"
      })
  void whatCommitsGoOnBesideIsAllowed(String script) {
    assertThat(MigrationScript.of(script).violations()).isEmpty();
  }
}
