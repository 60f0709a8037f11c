package dev.tenure.examples.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenure.examples.node.Engine;
import dev.tenure.examples.workers.Greetings.Person;
import java.io.File;
import java.io.IOException;
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
  private static final Path WORKERS =
      Path.of(System.getProperty("tenure.build")).resolveSibling("workers");

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

  private static boolean runs(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log("probe"))
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static File log(String name) {
    return folder.resolve(name + ".log").toFile();
  }

  /** The launcher installs what is missing, where it can. */
  private static void need(String program, String... probe) {
    boolean there = runs(probe);
    if (!there) System.out.println(program + " is not there: its worker is not tested.");
    assumeTrue(there, program + " is not there");
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
    need("python3", "python3", "--version");
    Path script = WORKERS.resolve("python/worker.py");
    greets("Python", List.of("python3", script.toString(), server(), "greetings"));
  }

  @Test
  void theWorkerInJavaScript() throws Exception {
    // Older ones have no fetch.
    need("node 18", "node", "-e", "process.exit(typeof fetch === 'function' ? 0 : 1)");
    Path script = WORKERS.resolve("javascript/worker.mjs");
    greets("JavaScript", List.of("node", script.toString(), server(), "greetings"));
  }
}
