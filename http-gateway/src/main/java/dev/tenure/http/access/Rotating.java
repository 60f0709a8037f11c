package dev.tenure.http.access;

import dev.tenure.http.access.Access.Guarded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which callers may use the API, by files that are read again when their content has changed: an
 * operator adds and removes keys without a restart. Files that cannot be used change nothing: the
 * credentials that were read last hold until a person has corrected the file, and the log says so.
 */
public final class Rotating implements Access {
  private static final Logger log = LoggerFactory.getLogger(Rotating.class);

  private final List<Path> files;
  private final Supplier<Guarded> read;
  private String fingerprint;
  private volatile Guarded current;

  /**
   * @param files what it is read from
   * @param read reads them; throws {@link AccessError} when they cannot be used
   */
  public Rotating(List<Path> files, Supplier<Guarded> read) {
    this.files = List.copyOf(files);
    this.read = read;
    // Taken before the files are read: a change that comes meanwhile is read at the next look.
    this.fingerprint = fingerprint();
    this.current = read.get();
  }

  @Override
  public Caller caller(Optional<String> authorization) {
    return current.caller(authorization);
  }

  /** Looks whether something has changed, and reads it then. Blocks. */
  public synchronized void look() {
    String now = fingerprint();
    if (now.equals(fingerprint)) return;
    // Said once for each content, not at every look.
    fingerprint = now;
    try {
      current = read.get();
      log.info("the credentials in {} have changed and were read again", files);
    } catch (AccessError e) {
      log.error("the credentials stay as they were: {}", e.getMessage());
    }
  }

  /** Made of the content: times of files are coarse, and a link may point to another file. */
  private String fingerprint() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files) digest.update(sha256(file));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static byte[] sha256(Path file) throws NoSuchAlgorithmException {
    try {
      return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    } catch (IOException e) {
      // The file is being replaced. If it stays missing, the next reading reports it.
      return new byte[0];
    }
  }
}
