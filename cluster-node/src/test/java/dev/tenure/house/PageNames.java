package dev.tenure.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks up what a page names in backticks: types, packages, tables, modules and files. What it
 * cannot look up is a problem, too, so that no name stays unchecked.
 */
final class PageNames {
  private static final String ROOT_PACKAGE = "dev.tenure";
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z_]+");
  private static final Pattern TYPE = Pattern.compile("[A-Z]\\w*(\\.[A-Z]\\w*)*");
  private static final Pattern PACKAGE = Pattern.compile("[a-z]+(\\.[a-z]+)*");
  private static final Pattern TABLE =
      Pattern.compile(
          "CREATE TABLE (?:IF NOT EXISTS )?(\\w++)(?! PARTITION OF)", Pattern.CASE_INSENSITIVE);

  /** A table that takes the place of another is made under a name of its own first. */
  private static final Pattern RENAMED = Pattern.compile("ALTER TABLE (\\w+) RENAME TO");

  private static final Pattern VIEW_OR_FUNCTION =
      Pattern.compile("CREATE (?:VIEW|FUNCTION) (\\w+)");

  private final Path root;
  private final Set<String> modules = new TreeSet<>();
  private final Set<String> tables = new TreeSet<>();

  /** Views and functions of the database. */
  private final Set<String> others = new TreeSet<>();

  /** The packages of the main sources, by module. */
  private final Map<String, Set<String>> packages = new HashMap<>();

  /** The files of all sources, by the name of their type. */
  private final Map<String, List<Path>> types = new HashMap<>();

  private final Set<String> constants = new TreeSet<>();

  PageNames(Path root) {
    this.root = root;
    for (Path module : list(root)) {
      if (!Files.exists(module.resolve("build.gradle"))) continue;
      modules.add(module.getFileName().toString());
      for (Path set : list(module.resolve("src"))) readSources(module, set);
    }
  }

  private void readSources(Path module, Path set) {
    Path java = set.resolve("java");
    boolean main = set.endsWith("main");
    for (Path file : walk(java)) {
      if (!file.toString().endsWith(".java")) continue;
      String name = file.getFileName().toString().replace(".java", "");
      types.computeIfAbsent(name, key -> new ArrayList<>(1)).add(file);
      if (!main) continue;
      packages
          .computeIfAbsent(module.getFileName().toString(), key -> new TreeSet<>())
          .add(java.relativize(file.getParent()).toString().replace('/', '.'));
      String text = read(file);
      if (Pattern.compile("\\benum " + name + "\\b").matcher(text).find())
        CONSTANT.matcher(text).results().forEach(found -> constants.add(found.group()));
    }
    if (!main) return;
    for (Path file : walk(set.resolve("resources"))) {
      if (!file.toString().endsWith(".sql")) continue;
      String sql = read(file);
      TABLE.matcher(sql).results().forEach(found -> tables.add(found.group(1)));
      RENAMED.matcher(sql).results().forEach(found -> tables.remove(found.group(1)));
      VIEW_OR_FUNCTION.matcher(sql).results().forEach(found -> others.add(found.group(1)));
    }
  }

  Set<String> tables() {
    return tables;
  }

  /** The rooms of a module, as pages call them: without what all packages begin with. */
  Set<String> rooms(String module) {
    Set<String> rooms = new TreeSet<>();
    for (String name : packages.getOrDefault(module, Set.of()))
      rooms.add(name.substring(ROOT_PACKAGE.length() + 1));
    return rooms;
  }

  /** What a page names in backticks, outside of blocks of code. */
  static Set<String> named(String page) {
    Set<String> named = new TreeSet<>();
    Matcher quoted = QUOTED.matcher(FENCED.matcher(page).replaceAll(""));
    while (quoted.find()) named.add(quoted.group(1));
    return named;
  }

  /** The names on a page that stand for nothing. */
  List<String> unknown(String page) {
    return named(page).stream().filter(name -> !isKnown(name)).toList();
  }

  private boolean isKnown(String name) {
    if (modules.contains(name) || tables.contains(name) || others.contains(name)) return true;
    if (name.contains("/")) return Files.exists(root.resolve(name));
    if (CONSTANT.matcher(name).matches()) return constants.contains(name);
    if (TYPE.matcher(name).matches()) return isType(name.split("\\."));
    if (PACKAGE.matcher(name).matches()) return isPackage(name);
    return false;
  }

  /** The first is a file's; each other one is declared in it. */
  private boolean isType(String[] nested) {
    return types.getOrDefault(nested[0], List.of()).stream()
        .map(PageNames::read)
        .anyMatch(
            text ->
                Stream.of(nested)
                    .allMatch(
                        type ->
                            Pattern.compile("\\b(class|record|interface|enum) " + type + "\\b")
                                .matcher(text)
                                .find()));
  }

  private boolean isPackage(String name) {
    if (name.equals(ROOT_PACKAGE)) return true;
    String whole = name.startsWith(ROOT_PACKAGE + ".") ? name : ROOT_PACKAGE + "." + name;
    return packages.values().stream().anyMatch(all -> all.contains(whole));
  }

  private static List<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) return List.of();
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> walk(Path folder) {
    if (!Files.isDirectory(folder)) return List.of();
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
