package dev.tenure.examples.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.examples.workers.Greetings.Person;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published workers without a library, each as a process of its own against a real node. */
class ScriptWorkersTest {
  @TempDir static Path folder;
  private static Engine engine;

  @BeforeAll
  static void start() {
    engine =
        Engine.start(node -> node.setting("tenure.http.access", "open").workflow(Greetings.class));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  private static File log(String name) {
    return folder.resolve(name + ".log").toFile();
  }

  private static String greeting(String workflowId, String name) {
    return engine
        .workflows()
        .start(Greetings::run, workflowId, new Person(name))
        .result(Engine.SOON);
  }

  private static void greets(String language, List<String> command) throws Exception {
    Process worker =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(language)).start();
    try {
      for (int i = 0; i < 5; i++)
        assertThat(greeting(language + "-" + i, "Ada " + i))
            .isEqualTo("Hello, Ada %d, from %s!".formatted(i, language));
      assertThat(worker.isAlive()).isTrue();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(Files.readString(log(language).toPath()), e);
    } finally {
      worker.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static String server() {
    return engine.node().http().toString();
  }

  @Test
  void theWorkerInPython() throws Exception {
    Script.PYTHON.need();
    greets("Python", Script.PYTHON.command(Script.PYTHON.path(), server(), "greetings"));
  }

  @Test
  void theWorkerInJavaScript() throws Exception {
    Script.JAVASCRIPT.need();
    greets(
        "JavaScript", Script.JAVASCRIPT.command(Script.JAVASCRIPT.path(), server(), "greetings"));
  }
}
