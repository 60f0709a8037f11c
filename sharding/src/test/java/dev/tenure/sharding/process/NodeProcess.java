package dev.tenure.sharding.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node in a process of its own, asked through its standard input and output, one line each. Its
 * log is a file in the module's build folder.
 */
public final class NodeProcess implements AutoCloseable {
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(40);

  private final String name;
  private final Process process;
  private final BufferedWriter input;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<Long>> open = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> up = new CompletableFuture<>();

  /** The node said no, or ended before it answered. */
  public static final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswer(String reason) {
      super(reason, null, false, false);
    }
  }

  private NodeProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread.ofVirtual().name(name + "-output").start(this::read);
  }

  /** Starts a main class of the test class path. */
  public static NodeProcess start(String name, Class<?> main, List<String> arguments) {
    return start(name, List.of(), main, arguments);
  }

  /**
   * @param options of its virtual machine
   */
  public static NodeProcess start(
      String name, List<String> options, Class<?> main, List<String> arguments) {
    Path log = Path.of(System.getProperty("tenure.build", "build"), "nodes", name + ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Dtenure.log.level=INFO",
            "-cp",
            System.getProperty("java.class.path")));
    // The last one of an option counts.
    command.addAll(options);
    command.add(main.getName());
    command.addAll(arguments);
    try {
      Files.createDirectories(log.getParent());
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new NodeProcess(name, process);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) heard(line);
    } catch (IOException e) {
      up.completeExceptionally(e); // the process was killed in the middle of a line
    }
    up.completeExceptionally(new NoAnswer(name + " ended"));
    open.values().forEach(answer -> answer.completeExceptionally(new NoAnswer(name + " ended")));
  }

  private void heard(String line) {
    if (line.equals("up")) {
      up.complete(null);
      return;
    }
    // A virtual machine that ends for want of memory says so here, and Pekko's logger of last
    // resort.
    if (line.startsWith("Terminating due to ") || line.startsWith("[")) return;
    String[] words = line.split(" ", 3);
    CompletableFuture<Long> answer = open.remove(Long.parseLong(words[0]));
    if (answer == null) return;
    if (words[1].equals("+")) answer.complete(Long.parseLong(words[2]));
    else answer.completeExceptionally(new NoAnswer(words[2]));
  }

  /** Asks; the answer may take as long as the node lives. */
  public CompletableFuture<Long> ask(String request) {
    long number = numbers.incrementAndGet();
    CompletableFuture<Long> answer = new CompletableFuture<>();
    open.put(number, answer);
    try {
      synchronized (input) {
        input.write(number + " " + request + "\n");
        input.flush();
      }
    } catch (IOException e) {
      answer.completeExceptionally(new NoAnswer(name + " ended"));
    }
    if (!process.isAlive()) answer.completeExceptionally(new NoAnswer(name + " ended"));
    return answer;
  }

  /** Asks something that the node answers at once. */
  public long query(String request) {
    return ask(request).orTimeout(10, TimeUnit.SECONDS).join();
  }

  public NodeProcess awaitUp(Duration limit) {
    up.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
    return this;
  }

  public String name() {
    return name;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** {@code STOP}, {@code CONT} or {@code KILL}. */
  public void signal(String signal) {
    try {
      int status =
          new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      if (status != 0) throw new IllegalStateException("kill -" + signal + " " + name + " failed");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public void kill() {
    signal("KILL");
    awaitExit(EXIT_LIMIT);
  }

  /** Waits until the process has ended by itself. */
  public void awaitExit(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(name + " still runs after " + limit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    // SIGKILL also ends a process that is stopped.
    process.destroyForcibly();
    awaitExit(EXIT_LIMIT);
  }
}
