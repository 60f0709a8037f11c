package dev.tenure.testkit;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.postgres.PostgresSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A database for one test, on a server that the tests of one JVM share. */
final class ScratchDatabase implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String name;

  private ScratchDatabase(String name) {
    this.name = name;
  }

  static ScratchDatabase create() {
    return new ScratchDatabase(Shared.SERVER.createDatabase("testkit_" + NUMBER.incrementAndGet()));
  }

  PostgresSettings settings() {
    return PostgresSettings.of(Shared.SERVER.url(name), LocalPostgres.APPLICATION, "")
        .withMigration(LocalPostgres.OWNER, "");
  }

  @Override
  public void close() {
    Shared.SERVER.dropDatabase(name);
  }

  /** Started by the first test that wants a node, stopped when the JVM ends. */
  private static final class Shared {
    static final LocalPostgres SERVER = start();

    private static LocalPostgres start() {
      try {
        Path folder = Files.createTempDirectory("tenure-testkit-");
        LocalPostgres server = LocalPostgres.start(folder);
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      server.close();
                      delete(folder);
                    }));
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void delete(Path folder) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + folder, e);
      }
    }
  }
}
