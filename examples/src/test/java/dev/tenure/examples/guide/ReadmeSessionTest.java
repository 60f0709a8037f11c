package dev.tenure.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.node.Main;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README types into a second terminal works as it is written, and answers as it says. */
class ReadmeSessionTest {
  private static final Path ROOT =
      Path.of(System.getProperty("tenure.build")).resolve("../..").normalize();
  private static final String DEV = "http://127.0.0.1:7300";

  /** A line for the shell, and what comes of it. */
  private record Typed(String line, String answer) {}

  @Test
  void itsLinesWork(@TempDir Path folder) throws Exception {
    List<Typed> session = session(Files.readString(ROOT.resolve("README.md")));
    assertThat(session).as("lines with curl and the command line").hasSizeGreaterThanOrEqualTo(4);
    launcher(folder);
    try (Engine engine =
        Engine.start(node -> node.modulesOnClassPath().setting("tenure.http.access", "open"))) {
      for (Typed typed : session) {
        assertThat(masked(run(folder, typed.line(), engine.node().http())))
            .as(typed.line())
            .isEqualTo(masked(typed.answer()));
      }
    }
  }

  private static List<Typed> session(String readme) {
    List<Typed> all = new ArrayList<>();
    List<String> lines = readme.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.startsWith("$ curl ") && !line.startsWith("$ ./tenure workflow ")) continue;
      StringBuilder typed = new StringBuilder(line.substring(2));
      while (lines.get(i).endsWith("\\")) typed.append('\n').append(lines.get(++i));
      StringBuilder answer = new StringBuilder();
      for (i++; !lines.get(i).startsWith("$ ") && !lines.get(i).startsWith("```"); i++) {
        answer.append(lines.get(i)).append('\n');
      }
      i--;
      all.add(new Typed(typed.toString(), answer.toString().strip()));
    }
    return all;
  }

  /** As the launcher does it, with what is built for this test. */
  private static void launcher(Path folder) throws IOException {
    Path script = folder.resolve("tenure");
    Files.writeString(
        script,
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                Main.class.getName()));
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static String run(Path folder, String line, URI server) throws Exception {
    String here = line.replace(DEV, server.toString()).replaceFirst("^curl ", "curl -sS ");
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", here).directory(folder.toFile());
    shell.environment().keySet().removeIf(name -> name.startsWith("TENURE_"));
    shell.environment().put("TENURE_URL", server.toString());
    shell.environment().put("HOME", folder.toString());
    Process process = shell.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (InputStream out = process.getInputStream()) {
      String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(line).isZero();
      return text.strip();
    }
  }

  /** Ids and vouchers are drawn anew each time. */
  private static String masked(String text) {
    return text.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID")
        .replaceAll("-[0-9a-f]{8}\"", "-VOUCHER\"");
  }
}
