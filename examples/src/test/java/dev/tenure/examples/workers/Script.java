package dev.tenure.examples.workers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A published worker without a library. */
enum Script {
  PYTHON("python/worker.py", "python3", List.of("--version")),
  // Older ones have no fetch.
  JAVASCRIPT(
      "javascript/worker.mjs",
      "node",
      List.of("-e", "process.exit(typeof fetch === 'function' ? 0 : 1)"));

  private static final Path WORKERS =
      Path.of(System.getProperty("tenure.build")).resolveSibling("workers");

  private final String file;
  private final String program;
  private final List<String> probe;

  Script(String file, String program, List<String> probe) {
    this.file = file;
    this.program = program;
    this.probe = probe;
  }

  Path path() {
    return WORKERS.resolve(file);
  }

  List<String> command(Path script, String server, String queue) {
    return List.of(program, script.toString(), server, queue);
  }

  /** Passes over the test where its program is not; the launcher installs it where it can. */
  void need() {
    boolean there = runs();
    if (!there) System.out.println(program + " is not there: its worker is not tested.");
    assumeTrue(there, program + " is not there");
  }

  private boolean runs() {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(probe);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
