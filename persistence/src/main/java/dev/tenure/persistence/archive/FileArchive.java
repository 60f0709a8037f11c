package dev.tenure.persistence.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Archives as files of a folder. */
public record FileArchive(Path folder) implements Archive {
  @Override
  public void keep(String name, Path content) {
    Path file = folder.resolve(name);
    Path beside = folder.resolve(name + ".part");
    try {
      Files.copy(content, beside, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel written = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ArchiveError("%s cannot be written: %s".formatted(file, e), e);
    }
  }

  @Override
  public void fetch(String name, Path into) {
    Path file = folder.resolve(name);
    try {
      Files.copy(file, into, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ArchiveError("%s cannot be read: %s".formatted(file, e), e);
    }
  }
}
