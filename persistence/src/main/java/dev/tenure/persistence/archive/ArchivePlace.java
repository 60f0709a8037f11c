package dev.tenure.persistence.archive;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** Where one archive is, as people write it: a file, or {@code s3://bucket/name}. */
public record ArchivePlace(Archive archive, String name) {
  private static final String S3 = "s3://";

  /**
   * @param environment has what an S3 store needs
   * @throws ArchiveError when it is neither, or the environment does not have that
   */
  public static ArchivePlace parse(
      String text, Map<String, String> environment, InstantSource clock) {
    if (!text.startsWith(S3)) {
      Path file = Path.of(text).toAbsolutePath();
      if (file.getFileName() == null) throw new ArchiveError(text + " is no file");
      return new ArchivePlace(new FileArchive(file.getParent()), file.getFileName().toString());
    }
    int slash = text.indexOf('/', S3.length());
    if (slash <= S3.length() || slash == text.length() - 1)
      throw new ArchiveError(text + " does not name a bucket and an object: s3://bucket/name");
    return new ArchivePlace(
        S3Archive.of(text.substring(S3.length(), slash), environment, clock),
        text.substring(slash + 1));
  }
}
