package dev.tenure.bench.measure;

import dev.tenure.persistence.embedded.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** The durable PostgreSQL under measurement, and what it says of its own work. */
public final class BenchServer implements AutoCloseable {
  /** The unit of times in /proc on every Linux that the JDK runs on. */
  private static final double CLOCK_TICKS_PER_S = 100;

  private final LocalPostgres postgres;

  private BenchServer(LocalPostgres postgres) {
    this.postgres = postgres;
  }

  /** Starts a fresh server in the folder; refuses to empty a folder that is not a benchmark's. */
  public static BenchServer start(Path folder) {
    Path mark = folder.resolve("benchmark");
    try {
      if (Files.exists(folder)) {
        try (Stream<Path> content = Files.list(folder)) {
          if (!Files.exists(mark) && content.findAny().isPresent()) {
            throw new IllegalArgumentException(
                folder + " is not empty and was not made by a benchmark: give another --data");
          }
        }
        delete(folder);
      }
      Files.createDirectories(folder);
      Files.createFile(mark);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare " + folder, e);
    }
    return new BenchServer(
        LocalPostgres.start(folder, Map.of("shared_buffers", "1GB", "max_wal_size", "8GB")));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }

  public LocalPostgres postgres() {
    return postgres;
  }

  /** Where the write-ahead log stands, in bytes. */
  public long walBytes() {
    return number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
  }

  /** Writes everything back, so that no path pays for the pages of the one before it. */
  public void checkpoint() {
    execute("postgres", "CHECKPOINT");
  }

  /** Runs statements as the superuser, one after the other on one connection. */
  public void execute(String database, String... statements) {
    try (Connection c = postgres.connect(database, "postgres");
        Statement s = c.createStatement()) {
      for (String sql : statements) s.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(String.join("; ", statements), e);
    }
  }

  /** Transactions that a database's clients committed so far. */
  public long transactions(String database) {
    return number("SELECT xact_commit FROM pg_stat_database WHERE datname = '" + database + "'");
  }

  private long number(String query) {
    return number("postgres", query);
  }

  /** What a query for one number answers. */
  public long number(String database, String query) {
    try (Connection c = postgres.connect(database, "postgres");
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read " + query, e);
    }
  }

  /** CPU time of all processes of the server so far, also of those that have ended. */
  public double cpuSeconds() {
    ProcessHandle main = postgres.postmaster().orElseThrow();
    double running =
        Stream.concat(Stream.of(main), main.descendants())
            .mapToDouble(p -> p.info().totalCpuDuration().map(d -> d.toNanos() / 1e9).orElse(0.0))
            .sum();
    return running + endedSeconds(main.pid());
  }

  /** What the kernel has added up of children that have ended; 0 where there is no /proc. */
  private static double endedSeconds(long pid) {
    Path file = Path.of("/proc", Long.toString(pid), "stat");
    try {
      if (!Files.exists(file)) return 0;
      // The name in parentheses may contain spaces; the 16th and 17th field count from the pid.
      String stat = Files.readString(file);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / CLOCK_TICKS_PER_S;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  @Override
  public void close() {
    postgres.close();
  }
}
