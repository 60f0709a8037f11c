package dev.tenure.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What reference.conf says, what the documentation says, and what is read are the same settings.
 */
class ConfigurationDocsTest {
  private static final Path MODULE = Path.of(System.getProperty("tenure.build")).getParent();

  private final Set<String> keys = new KnownSettings(ConfigurationSources.defaults()).keys();

  @Test
  void everySettingHasARowAndEveryRowIsASetting() throws IOException {
    String page = Files.readString(MODULE.resolveSibling("docs").resolve("configuration.md"));
    Set<String> documented = new TreeSet<>();
    Matcher row =
        Pattern.compile("(?m)^\\| `(tenure\\.[a-z.-]+)`<br>`(TENURE_[A-Z_]+)` ").matcher(page);
    while (row.find()) {
      documented.add(row.group(1));
      assertThat(row.group(2)).isEqualTo(ConfigurationSources.variableOf(row.group(1)));
    }
    assertThat(documented).isEqualTo(keys);
  }

  @Test
  void everySettingNamesItsVariableInReferenceConf() throws IOException {
    List<String> lines =
        Files.readAllLines(MODULE.resolve("src/main/resources/reference.conf")).stream()
            .map(String::strip)
            .toList();
    for (String key : keys) {
      String name = key.substring(key.lastIndexOf('.') + 1);
      String override = name + " = ${?" + ConfigurationSources.variableOf(key) + "}";
      assertThat(lines).as(key).contains(override);
      // The line before it is the default, and the one before that explains it.
      int at = lines.indexOf(override);
      assertThat(lines.get(at - 1)).startsWith(name + " = ");
      assertThat(lines.get(at - 2)).startsWith("#");
    }
  }
}
