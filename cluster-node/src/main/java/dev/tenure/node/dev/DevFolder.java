package dev.tenure.node.dev;

import dev.tenure.node.lifetime.StartFailure;
import dev.tenure.persistence.embedded.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a development node keeps its database. One process at a time has it: a second one would
 * stop the first one's PostgreSQL, taking it for one that was left behind.
 */
public final class DevFolder implements AutoCloseable {
  private final Path folder;
  private final FileChannel lockFile;

  private DevFolder(Path folder, FileChannel lockFile) {
    this.folder = folder;
    this.lockFile = lockFile;
  }

  /** Makes the folder, or goes on with it. */
  public static DevFolder open(Path folder) {
    Path absolute = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute);
      return new DevFolder(absolute, lock(absolute.resolve("lock")));
    } catch (IOException e) {
      throw new StartFailure("cannot use the folder %s: %s".formatted(absolute, e), e);
    }
  }

  // The operating system gives the lock back when its process ends, however it ends.
  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) return channel;
    } catch (OverlappingFileLockException e) {
      // Another node of this same process has it.
    }
    channel.close();
    throw new StartFailure(
        "another development node is using %s: stop it, or name another folder with --data"
            .formatted(file.getParent()));
  }

  public Path path() {
    return folder;
  }

  /** Starts the folder's PostgreSQL, and stops one that a killed process left running before. */
  public LocalPostgres startPostgres() {
    Path postgres = folder.resolve("postgres");
    // initdb that was interrupted leaves a folder that can neither be used nor made again. Until
    // the
    // first start went through, nothing in it is worth keeping.
    Path complete = postgres.resolve("complete");
    try {
      if (!Files.exists(complete) && !hasServer(postgres)) delete(postgres);
      LocalPostgres server = LocalPostgres.start(postgres);
      if (!Files.exists(complete)) Files.createFile(complete);
      return server;
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      throw new StartFailure(
          "PostgreSQL does not start in %s: %s; its log is postgres.log there"
              .formatted(postgres, e.getMessage()),
          e);
    }
  }

  /** Whether a server was started on the folder; initdb's helpers sign with a negative number. */
  private static boolean hasServer(Path postgres) throws IOException {
    Path pid = postgres.resolve("data").resolve("postmaster.pid");
    return Files.exists(pid) && !Files.readString(pid).startsWith("-");
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) return;
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(tree)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) Files.delete(path);
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }
}
