package dev.tenure.examples.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.examples.node.Engine;
import dev.tenure.examples.workers.Greetings.Person;
import dev.tenure.sharding.client.WorkflowFailedException;
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

  /** The published worker, whose greeting of one person is larger than any result may be. */
  private static void failsWhatIsTooLarge(Script script, String greeting, String large)
      throws Exception {
    String published = Files.readString(script.path());
    assertThat(published).containsOnlyOnce(greeting);
    Path changed = folder.resolve(script.path().getFileName());
    Files.writeString(changed, published.replace(greeting, large));
    File log = log("large-" + script);
    Process worker =
        new ProcessBuilder(script.command(changed, server(), "greetings"))
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    try {
      assertThatThrownBy(() -> greeting("large-" + script, "Large"))
          .isInstanceOf(WorkflowFailedException.class)
          .hasMessageContaining("ResultRefused")
          .hasMessageContaining("does not take the result");
      assertThat(greeting("small-" + script, "Ada")).startsWith("Hello, Ada");
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(Files.readString(log.toPath()), e);
    } finally {
      worker.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void theWorkerInPythonFailsACallWhoseResultIsTooLarge() throws Exception {
    Script.PYTHON.need();
    failsWhatIsTooLarge(
        Script.PYTHON,
        "return \"Hello",
        "return \"x\" * 3000000 if task[\"input\"][\"name\"] == \"Large\" else \"Hello");
  }

  @Test
  void theWorkerInJavaScriptFailsACallWhoseResultIsTooLarge() throws Exception {
    Script.JAVASCRIPT.need();
    failsWhatIsTooLarge(
        Script.JAVASCRIPT,
        "async (task) => `Hello",
        "async (task) => task.input.name === \"Large\" ? \"x\".repeat(3000000) : `Hello");
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
