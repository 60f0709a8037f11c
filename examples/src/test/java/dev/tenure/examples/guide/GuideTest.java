package dev.tenure.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation shows is what is compiled and tested here. */
class GuideTest {
  private static final Path MODULE = Path.of(System.getProperty("tenure.build")).getParent();
  private static final Path ROOT = MODULE.resolve("..").normalize();
  private static final Snippets SNIPPETS = new Snippets(MODULE.resolve("src"));

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> guide = Files.list(ROOT.resolve("docs/guide"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), guide.sorted().toList().stream())
          .map(ROOT::relativize);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pages")
  void itsCodeIsTheTestedCode(Path page) {
    String text = Snippets.read(ROOT.resolve(page));
    assertThat(SNIPPETS.problems(text)).isEmpty();
    assertThat(Snippets.count(text))
        .as("blocks that were looked at")
        .isEqualTo((int) text.lines().filter(line -> line.equals("```java")).count());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pages")
  void itsLinksLeadSomewhere(Path page) {
    Path file = ROOT.resolve(page);
    List<String> broken =
        Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)")
            .matcher(Snippets.read(file))
            .results()
            .map(link -> link.group(1))
            .filter(target -> !Files.exists(file.resolveSibling(target)))
            .toList();
    assertThat(broken).isEmpty();
  }

  @Test
  void codeThatDiffersIsFound(@TempDir Path sources) throws IOException {
    Files.writeString(
        sources.resolve("A.java"), "class A {\n  int one = 1;\n\n  int two = 2;\n}\n");
    Snippets snippets = new Snippets(sources);
    assertThat(snippets.problems(page("A.java", "int one = 1;\nint two = 2;"))).isEmpty();
    assertThat(snippets.problems(page("A.java", "class A {\n…\nint two = 2;"))).isEmpty();

    assertThat(snippets.problems(page("A.java", "int one = 2;"))).hasSize(1);
    assertThat(snippets.problems(page("A.java", "class A {\nint two = 2;"))).hasSize(1);
    assertThat(snippets.problems(page("A.java", "int two = 2;\n…\nint one = 1;"))).hasSize(1);
    assertThat(snippets.problems(page("B.java", "int one = 1;"))).hasSize(1);
    assertThat(snippets.problems("```java\nint one = 1;\n```")).hasSize(1);
  }

  private static String page(String source, String code) {
    return "<!-- %s -->\n```java\n%s\n```\n".formatted(source, code);
  }
}
