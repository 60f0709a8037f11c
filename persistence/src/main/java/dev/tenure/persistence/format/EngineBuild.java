package dev.tenure.persistence.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What an engine says of itself to the store and to other nodes. */
public final class EngineBuild {
  /** Of a build that was not made by the project's own build script. */
  private static final String NO_VERSION = "0.0.0";

  /** This build. */
  public static final EngineBuild CURRENT =
      new EngineBuild(versionOfBuild(), FormatLevel.READ, FormatLevel.WRITTEN);

  private final String version;
  private final int reads;
  private final int writes;

  EngineBuild(String version, int reads, int writes) {
    if (writes > reads)
      throw new IllegalArgumentException(
          "An engine that reads formats up to level %d does not write level %d."
              .formatted(reads, writes));
    this.version = version;
    this.reads = reads;
    this.writes = writes;
  }

  /** The build script writes its version into this file. */
  private static String versionOfBuild() {
    try (InputStream in = EngineBuild.class.getResourceAsStream("engine-version.txt")) {
      if (in == null) return NO_VERSION;
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
      return text.isEmpty() || text.startsWith("$") ? NO_VERSION : text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its release. */
  public String version() {
    return version;
  }

  /** The newest level of formats that it reads; see {@link FormatLevel}. */
  public int reads() {
    return reads;
  }

  /** The newest level that it writes, once the store allows it. */
  public int writes() {
    return writes;
  }

  /** The level up to which it writes now, on a store with that floor. */
  public int writesOn(FormatFloor floor) {
    return Math.min(writes, floor.level());
  }

  @Override
  public String toString() {
    return "engine %s, which reads formats up to level %d".formatted(version, reads);
  }
}
