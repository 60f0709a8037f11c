package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.definition.DamagedDefinitionError;
import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Definitions as rows. */
class DefinitionsTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void oneThatWasChangedFromOutsideIsNotRun() {
    WorkflowType type = new WorkflowType("changed", 1);
    try (Storage storage = PostgresStorage.open(database.settings())) {
      storage.definitions().keep(new Definition(new ProgramKind("actions"), type, new byte[] {1}));
      database.execute("UPDATE definition SET content = 'other' WHERE name = 'changed'");
      assertThatThrownBy(() -> storage.definitions().find(type))
          .isInstanceOf(DamagedDefinitionError.class)
          .hasMessageContaining("changed v1");
    }
  }

  @Test
  void theyAreFoundByNameAndVersionHoweverManyThereAre() {
    database.execute(
        """
        INSERT INTO definition
        SELECT 'type-' || n, v, 'actions', 'hash', 'content'
        FROM generate_series(1, 2000) n, generate_series(1, 10) v
        """);
    database.execute("ANALYZE definition");
    for (String sql : new String[] {PostgresDefinitions.FIND, PostgresDefinitions.NEWEST})
      for (String plan : Plans.whenEmptyAndFull(database, sql))
        assertThat(plan).contains("definition_pkey").doesNotContain("Seq Scan");
  }
}
