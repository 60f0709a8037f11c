package dev.tenure.node.process;

import dev.tenure.node.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ./tenure} as the launcher starts it: a process of its own. */
final class NodeProcess implements AutoCloseable {
  static final Duration START_LIMIT = Duration.ofSeconds(60);
  static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private static final Pattern ADDRESS = Pattern.compile("(https?://\\S+)/health/ready");

  private final Process process;
  private final Path output;

  private NodeProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts it in a process group of its own, as a shell would, and with an ear for Ctrl-C, which
   * tests that run in the background have not.
   */
  static NodeProcess start(Path folder, Map<String, String> environment, String... arguments) {
    try {
      List<String> command =
          new ArrayList<>(List.of("setsid", "env", "--default-signal=INT", javaBinary()));
      command.addAll(
          List.of(
              "--add-opens=java.base/java.lang=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "-Xmx256m",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
      command.addAll(Arrays.asList(arguments));
      Path output = Files.createTempFile(folder, "output", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("TENURE_"));
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      return new NodeProcess(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String javaBinary() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it says that it is ready; returns where it answers. */
  URI awaitReady() {
    URI address = awaitAddress();
    Await.until("200", START_LIMIT, () -> get(address, "/health/ready").startsWith("200"));
    return address;
  }

  /** Waits until it says that it is ready, and takes its word for it. */
  URI awaitAddress() {
    Await.until(
        "ready",
        START_LIMIT,
        () -> {
          if (!process.isAlive()) throw new AssertionError("it ended: " + output());
          return ADDRESS.matcher(output()).find();
        });
    Matcher matcher = ADDRESS.matcher(output());
    matcher.find();
    return URI.create(matcher.group(1));
  }

  /** The status and the body of an answer; empty when there was none. */
  static String get(URI address, String path) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(address.resolve(path)).timeout(Duration.ofSeconds(10)).build();
      HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ctrl-C in a terminal: everything in the process group gets the signal. */
  void interruptGroup() {
    signal("-INT", "-" + process.pid());
  }

  void terminate() {
    signal("-TERM", Long.toString(process.pid()));
  }

  private static void signal(String signal, String target) {
    try {
      new ProcessBuilder("kill", signal, "--", target).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGKILL: nothing of the process's own runs any more. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  int awaitExit() {
    try {
      if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("it did not end: " + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
