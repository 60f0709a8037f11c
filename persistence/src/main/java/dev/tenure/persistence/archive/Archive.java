package dev.tenure.persistence.archive;

import java.nio.file.Path;

/**
 * A place that keeps archives. All methods block, may be called from any thread, and throw {@link
 * ArchiveError} when the place cannot be reached or refuses.
 */
public interface Archive {
  /**
   * Keeps the content of the file under that name, also when another content was kept there. When
   * this method returns, all of it is kept; when it throws, what was kept before still is.
   */
  void keep(String name, Path content);

  /** Copies what is kept under that name into the file. */
  void fetch(String name, Path into);
}
