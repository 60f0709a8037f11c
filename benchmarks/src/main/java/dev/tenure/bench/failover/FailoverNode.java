package dev.tenure.bench.failover;

import dev.tenure.bench.measure.Options;
import dev.tenure.bench.workflows.Engine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A node in a process of its own. It says on its standard output which workflows have moved, and
 * starts as many as it is told on its standard input. SIGTERM drains it, as it does in production.
 */
final class FailoverNode {
  static final String UP = "up";
  static final String STARTED = "started";
  private static final long SAID_EVERY_MS = 20;
  private static final int STARTING = 256;

  private FailoverNode() {}

  /**
   * @param args the database, the port for other nodes, the connections for commits
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    ConcurrentLinkedQueue<Integer> moved = new ConcurrentLinkedQueue<>();
    Options options = new Options();
    options.connections = Integer.parseInt(args[2]);
    Engine engine =
        Engine.join(args[0], Integer.parseInt(args[1]), options, Beating.registration(moved::add));
    // As a node of the command line does: the shards are handed over before the process ends.
    Runtime.getRuntime().addShutdownHook(new Thread(engine::close, "drain"));
    say(out, UP);
    Executors.newSingleThreadScheduledExecutor()
        .scheduleWithFixedDelay(
            () -> sayMoved(out, moved), 0, SAID_EVERY_MS, TimeUnit.MILLISECONDS);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      start(engine, Integer.parseInt(order));
      say(out, STARTED);
    }
    // Its benchmark has ended.
    System.exit(0);
  }

  private static void start(Engine engine, int workflows) {
    Semaphore starting = new Semaphore(STARTING);
    for (int i = 0; i < workflows; i++) {
      starting.acquireUninterruptibly();
      engine
          .start(Beating.id(i), Beating.TYPE, Engine.json(0L))
          .whenComplete((done, failure) -> starting.release());
    }
    starting.acquireUninterruptibly(STARTING);
  }

  private static void sayMoved(PrintStream out, ConcurrentLinkedQueue<Integer> moved) {
    StringJoiner numbers = new StringJoiner(" ");
    for (Integer one = moved.poll(); one != null; one = moved.poll()) numbers.add(one.toString());
    if (numbers.length() > 0) say(out, numbers.toString());
  }

  private static void say(PrintStream out, String line) {
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }
}
