package dev.tenure.persistence.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A real PostgreSQL on this machine, durable as in production, its data kept in a folder: for
 * {@code ./tenure dev}, benchmarks and tests. It has an owner role, which migrates, and an
 * application role, which the engine uses. It can be killed and started again on the same folder
 * and port.
 */
public final class LocalPostgres implements AutoCloseable {
  public static final String OWNER = "tenure_owner";
  public static final String APPLICATION = "tenure_app";
  public static final String DATABASE = "tenure";

  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final Path folder;
  private final int port;
  private final Map<String, String> settings;
  private EmbeddedPostgres server;

  private LocalPostgres(Path folder, int port, Map<String, String> settings) {
    this.folder = folder;
    this.port = port;
    this.settings = settings;
  }

  /** Starts a server on the folder, which is made or gone on with; its port is kept in it. */
  public static LocalPostgres start(Path folder, Map<String, String> settings) {
    try {
      Files.createDirectories(folder);
      LocalPostgres postgres = new LocalPostgres(folder, portOf(folder), settings);
      postgres.start();
      return postgres;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start PostgreSQL in " + folder, e);
    }
  }

  public static LocalPostgres start(Path folder) {
    return start(folder, Map.of());
  }

  private static int portOf(Path folder) throws IOException {
    Path file = folder.resolve("port");
    if (Files.exists(file)) return Integer.parseInt(Files.readString(file).trim());
    try (ServerSocket socket = new ServerSocket(0)) {
      Files.writeString(file, Integer.toString(socket.getLocalPort()));
      return socket.getLocalPort();
    }
  }

  /** Starts the server again after {@link #stop} or {@link #kill}. */
  public void start() {
    // A server that outlived the process which started it would hold the folder.
    postmaster().ifPresent(orphan -> signal(orphan, "INT"));
    Map<String, String> all = new HashMap<>();
    all.put("fsync", "on");
    all.put("synchronous_commit", "on");
    all.put("full_page_writes", "on");
    all.put("max_wal_size", "4GB");
    all.put("checkpoint_timeout", "15min");
    // Whole pages go into the log after a checkpoint: most of them compress to a third.
    all.put("wal_compression", "on");
    all.put("shared_buffers", "256MB");
    all.put("max_connections", "200");
    all.putAll(settings);
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder.resolve("data"))
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setPort(port)
            .setPGStartupWait(Duration.ofSeconds(60))
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(
                ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile()));
    all.forEach(builder::setServerConfig);
    try {
      server = builder.start();
      createRoles();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start PostgreSQL in " + folder, e);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot prepare the database in " + folder, e);
    }
  }

  private void createRoles() throws SQLException {
    try (Connection c = connect("postgres", "postgres");
        Statement s = c.createStatement()) {
      for (String role : List.of(OWNER, APPLICATION)) {
        if (!exists(s, "SELECT 1 FROM pg_roles WHERE rolname = '" + role + "'")) {
          s.execute("CREATE ROLE " + role + " LOGIN");
        }
      }
      createDatabase(s, DATABASE);
    }
  }

  /** Makes another empty database beside the first; returns its name. */
  public String createDatabase(String name) {
    try (Connection c = connect("postgres", "postgres");
        Statement s = c.createStatement()) {
      createDatabase(s, name);
      return name;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create database " + name, e);
    }
  }

  /** Drops a database, also while clients are connected to it. */
  public void dropDatabase(String name) {
    try (Connection c = connect("postgres", "postgres");
        Statement s = c.createStatement()) {
      s.execute("DROP DATABASE " + name + " WITH (FORCE)");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot drop database " + name, e);
    }
  }

  private static void createDatabase(Statement s, String name) throws SQLException {
    if (exists(s, "SELECT 1 FROM pg_database WHERE datname = '" + name + "'")) return;
    s.execute("CREATE DATABASE " + name + " OWNER " + OWNER);
  }

  private static boolean exists(Statement s, String query) throws SQLException {
    try (var rows = s.executeQuery(query)) {
      return rows.next();
    }
  }

  public int port() {
    return port;
  }

  public String url() {
    return url(DATABASE);
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** A plain connection; the superuser is {@code postgres}. */
  public Connection connect(String database, String user) throws SQLException {
    return DriverManager.getConnection(url(database), user, "");
  }

  /** Stops as an operator would: running transactions are rolled back, everything is written. */
  public void stop() {
    Optional<ProcessHandle> process = postmaster();
    release();
    process.filter(ProcessHandle::isAlive).ifPresent(slow -> signal(slow, "INT"));
  }

  /** Stops as a crash would ({@code pg_ctl -m immediate}): recovery has to replay the log. */
  public void kill() {
    postmaster().ifPresent(process -> signal(process, "QUIT"));
    release();
  }

  /** Stops what still runs and gives the folder's lock back. */
  private void release() {
    if (server == null) return;
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = null;
  }

  @Override
  public void close() {
    stop();
  }

  /** The operating system's id of the server's main process, while it runs. */
  public Optional<ProcessHandle> postmaster() {
    Path file = folder.resolve("data").resolve("postmaster.pid");
    try {
      if (!Files.exists(file)) return Optional.empty();
      return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0).trim()))
          .filter(ProcessHandle::isAlive)
          // After a reboot the number may belong to another process.
          .filter(p -> p.info().command().map(c -> c.contains("postgres")).orElse(true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void signal(ProcessHandle process, String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      process.onExit().get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException("PostgreSQL (" + process.pid() + ") did not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
