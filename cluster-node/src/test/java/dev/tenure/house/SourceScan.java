package dev.tenure.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules about the sources of all modules, also of those that this module does not depend on. */
record SourceScan(Path root) {
  static final int LINES_MAX = 400;

  private static final Pattern SLEEP =
      Pattern.compile(
          "Thread\\s*\\.\\s*sleep\\s*\\(|TimeUnit\\s*\\.\\s*\\w+\\s*\\.\\s*sleep\\s*\\(");

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("^public [a-z ]*(class|record|interface|enum) ", Pattern.MULTILINE);
  private static final Pattern ERROR =
      Pattern.compile("(Error|Exception|Unknown|Rejected|NotStored)$");

  /** Tests wait for a condition, with a deadline; a sleep is either too short or too long. */
  List<String> sleepsInTests() {
    List<String> found = new ArrayList<>();
    for (Path file : sources()) {
      String path = root.relativize(file).toString();
      boolean isTest = path.contains("/src/test/") || path.contains("/src/fixtures/");
      if (isTest && SLEEP.matcher(read(file)).find()) found.add(path);
    }
    return found;
  }

  /** The most lines of a file, imports included. A longer one holds more than one idea. */
  List<String> longFiles() {
    return sources().stream()
        .filter(file -> read(file).lines().count() > LINES_MAX)
        .map(file -> root.relativize(file).toString())
        .toList();
  }

  /**
   * Public types of a module that no source outside of their package names, apart from errors: they
   * need not be public. Configuration names classes, too.
   */
  List<String> publicForNobody(String module) {
    Path main = root.resolve(module).resolve("src/main/java");
    List<Path> all = sources();
    List<String> configured = configuration().stream().map(SourceScan::read).toList();
    List<String> found = new ArrayList<>();
    for (Path file : all) {
      if (!file.startsWith(main) || !PUBLIC_TYPE.matcher(read(file)).find()) continue;
      String type = file.getFileName().toString().replace(".java", "");
      if (ERROR.matcher(type).find()) continue;
      String name =
          main.relativize(file)
              .toString()
              .replace(".java", "")
              .replace(file.getFileSystem().getSeparator(), ".");
      Pattern use = Pattern.compile(Pattern.quote(name) + "\\b");
      Path own = main.relativize(file).getParent();
      boolean needed =
          configured.stream().anyMatch(text -> use.matcher(text).find())
              || all.stream()
                  .filter(other -> !other.getParent().endsWith(own))
                  .anyMatch(other -> use.matcher(read(other)).find());
      if (!needed) found.add(type);
    }
    return found;
  }

  private List<Path> configuration() {
    List<Path> found = new ArrayList<>();
    for (String module : modules()) {
      Path resources = root.resolve(module).resolve("src/main/resources");
      if (!Files.isDirectory(resources)) continue;
      try (Stream<Path> files = Files.walk(resources)) {
        files.filter(file -> file.toString().endsWith(".conf")).forEach(found::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found;
  }

  /** The folders that have a build of their own. */
  List<String> modules() {
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("build.gradle")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The packages that stand directly below {@code dev.tenure} in a module. */
  List<String> packages(String module) {
    Path base = root.resolve(module).resolve("src/main/java/dev/tenure");
    if (!Files.isDirectory(base)) return List.of();
    try (Stream<Path> folders = Files.list(base)) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> "dev.tenure." + folder.getFileName())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> sources() {
    List<Path> found = new ArrayList<>();
    for (String module : modules()) {
      Path sources = root.resolve(module).resolve("src");
      if (!Files.isDirectory(sources)) continue;
      try (Stream<Path> files = Files.walk(sources)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
