package dev.tenure.persistence.postgres;

import dev.tenure.persistence.definition.DamagedDefinitionError;
import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Definitions as rows of {@code definition}. */
final class PostgresDefinitions implements Definitions {
  private final DataSource pool;

  PostgresDefinitions(DataSource pool) {
    this.pool = pool;
  }

  /**
   * Of two transactions with one name and version, the second waits for the first and then stores
   * nothing.
   */
  static final String KEEP =
      """
      INSERT INTO definition (name, version, kind, hash, content) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name, version) DO NOTHING
      """;

  @Override
  public Kept keep(Definition definition) {
    try (Connection c = pool.getConnection();
        PreparedStatement keep = c.prepareStatement(KEEP)) {
      keep.setString(1, KeyText.column(definition.type().name()));
      keep.setInt(2, definition.type().version());
      keep.setString(3, definition.kind().name());
      keep.setBytes(4, definition.hash());
      keep.setBytes(5, definition.content());
      if (keep.executeUpdate() == 1) return Kept.NEW;
    } catch (SQLException e) {
      throw SqlFailures.atCommit("storing a definition of " + definition.type(), e);
    }
    return find(definition.type()).filter(definition::equals).isPresent() ? Kept.SAME : Kept.TAKEN;
  }

  static final String FIND =
      """
      SELECT d.kind, d.hash, d.content FROM definition d WHERE d.name = ? AND d.version = ?
      """;

  @Override
  public Optional<Definition> find(WorkflowType type) {
    try (Connection c = pool.getConnection();
        PreparedStatement find = c.prepareStatement(FIND)) {
      find.setString(1, KeyText.column(type.name()));
      find.setInt(2, type.version());
      try (ResultSet row = find.executeQuery()) {
        if (!row.next()) return Optional.empty();
        Definition found = new Definition(new ProgramKind(row.getString(1)), type, row.getBytes(3));
        return Optional.of(DamagedDefinitionError.checked(found, row.getBytes(2)));
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the definition of " + type, e);
    }
  }

  static final String NEWEST =
      """
      SELECT d.version FROM definition d
      WHERE d.name = ? AND d.kind = ? ORDER BY d.name DESC, d.version DESC LIMIT 1
      """;

  @Override
  public Optional<WorkflowType> newest(ProgramKind kind, String name) {
    try (Connection c = pool.getConnection();
        PreparedStatement newest = c.prepareStatement(NEWEST)) {
      newest.setString(1, KeyText.column(name));
      newest.setString(2, kind.name());
      try (ResultSet row = newest.executeQuery()) {
        return row.next() ? Optional.of(new WorkflowType(name, row.getInt(1))) : Optional.empty();
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading which definitions of " + name + " there are", e);
    }
  }
}
