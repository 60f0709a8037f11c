package dev.tenure.activities.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tenure.activities.json.Json;
import dev.tenure.workflow.Text;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Makes an effect in the application's own PostgreSQL provable: a row with the call's key is
 * written in the transaction that has the effect.
 *
 * <pre>{@code
 * if (KeyedRow.claim(connection, context.idempotencyKey())) {
 *   Receipt receipt = book(connection, order);
 *   KeyedRow.store(connection, context.idempotencyKey(), receipt);
 *   connection.commit();
 *   return receipt;
 * }
 * return KeyedRow.result(connection, context.idempotencyKey(), Receipt.class).orElseThrow();
 * }</pre>
 *
 * <p>Why {@link #verifier} is exact then:
 *
 * <ul>
 *   <li>Effect and row are committed together or not at all. So a row proves the effect, and the
 *       lack of one proves that no transaction with the effect was committed so far.
 *   <li>A transaction that is still open when the verifier asks can be committed later. It holds
 *       the key: the next attempt waits for it in {@link #claim}, finds the row if it was
 *       committed, and does not have the effect again.
 * </ul>
 *
 * <p>Each part is needed. A row that is written after the effect in a transaction of its own is
 * missing after a crash between the two; one that is written before claims what did not happen.
 */
public final class KeyedRow {
  public static final int KEY_BYTES_MAX = 4_096;

  /** A longer one is stored as its hash: an entry of a PostgreSQL index has some 2,700 bytes. */
  static final int PLAIN_KEY_BYTES_MAX = 1_024;

  private static final String HASHED = "sha256:";

  /** For the application's migrations: the table that all others here name. */
  public static final String TABLE =
      """
      CREATE TABLE keyed_effect (
        key text PRIMARY KEY,
        result text,
        created_at timestamptz NOT NULL DEFAULT now()
      )
      """;

  private static final String SELECT =
      """
      SELECT result FROM keyed_effect WHERE key = ?
      """;

  private KeyedRow() {}

  /** How the key stands in the table. One that looks like a hash is stored as its own hash. */
  static String stored(String key) {
    byte[] bytes = Text.require("key", key, KEY_BYTES_MAX).getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= PLAIN_KEY_BYTES_MAX && !key.startsWith(HASHED)) return key;
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HASHED + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256.", e);
    }
  }

  /**
   * True when this transaction is the one that has the effect of the key. False when another one
   * has had it. While another one is open with the key, it waits for its end; the application sets
   * {@code lock_timeout} for how long.
   */
  public static boolean claim(Connection connection, String key) throws SQLException {
    requireTransaction(connection);
    // ON CONFLICT waits for an open transaction with the key. In the isolation levels above READ
    // COMMITTED it fails afterwards, and the attempt after that finds the row.
    String sql =
        """
        INSERT INTO keyed_effect (key) VALUES (?) ON CONFLICT (key) DO NOTHING
        """;
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, stored(key));
      return insert.executeUpdate() == 1;
    }
  }

  /** Stores the result of the effect, in the transaction that has claimed the key. */
  public static void store(Connection connection, String key, Object result) throws SQLException {
    requireTransaction(connection);
    String sql =
        """
        UPDATE keyed_effect SET result = ? WHERE key = ? AND result IS NULL
        """;
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, written(result));
      update.setString(2, stored(key));
      if (update.executeUpdate() != 1)
        throw new IllegalStateException(
            "The key was not claimed, or its result was stored before: call claim first.");
    }
  }

  /** What was stored for the key; empty when nothing was, or the key is not known. */
  public static <O> Optional<O> result(Connection connection, String key, Class<O> type)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setString(1, stored(key));
      try (ResultSet rows = select.executeQuery()) {
        return rows.next()
            ? Optional.ofNullable(rows.getString("result")).map(text -> read(text, type))
            : Optional.empty();
      }
    }
  }

  /** Says for each call what its row says. A row without a result: the result is unavailable. */
  public static <I, O> KeyedRowVerifier<I, O> verifier(DataSource dataSource, Class<O> type) {
    return new KeyedRowVerifier<>(
        new RowLookup(dataSource, SELECT, RowLookup.QUERY_MAX_DEFAULT), type);
  }

  /** Without a transaction the claim would be committed by itself, before there is an effect. */
  private static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit())
      throw new IllegalStateException(
          "The connection commits each statement by itself: call setAutoCommit(false) first.");
  }

  private static String written(Object result) {
    try {
      return Json.MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "A %s cannot be written as Json.MAPPER.".formatted(result.getClass().getName()), e);
    }
  }

  static <O> O read(String text, Class<O> type) {
    try {
      return Json.MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "The stored result is no %s.".formatted(type.getSimpleName()), e);
    }
  }
}
