package dev.tenure.sharding.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenure.sharding.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Virtual threads on a pool, and code on a JVM that does not let them be there. */
class CodeThreadsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int THREADS = 2;

  private final TaskPool pool = new TaskPool(THREADS, "code-of-a-test", Thread::new);
  private static CountDownLatch end;

  @BeforeEach
  void begin() {
    end = new CountDownLatch(1);
  }

  @AfterEach
  void close() {
    end.countDown();
    pool.close();
  }

  private CodeThreads threads() {
    assumeTrue(JdkInternals.areOpen(), "the JVM was started without " + JdkInternals.FLAG);
    return CodeThreads.on(pool);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void codeRunsWhereItWasMadeRunnable() {
    CodeThreads threads = threads();
    AtomicReference<Thread> starter = new AtomicReference<>();
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> actor = new AtomicReference<>();
    pool.execute(
        TaskKind.ENGINE,
        () -> {
          starter.set(JdkInternals.currentPoolThread());
          threads
              .builder()
              .start(
                  () -> {
                    first.set(JdkInternals.currentPoolThread());
                    pool.execute(
                        TaskKind.ENGINE, () -> actor.set(JdkInternals.currentPoolThread()));
                  });
        });

    Await.until("all three have run", SOON, () -> actor.get() != null);
    assertThat(first.get()).isSameAs(starter.get());
    assertThat(actor.get()).isSameAs(starter.get());
  }

  @Test
  void codeThatWaitsHoldsNoThread() {
    CodeThreads threads = threads();
    AtomicInteger woken = new AtomicInteger();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 100; i++)
      all.add(
          threads
              .builder()
              .start(
                  () -> {
                    await(end);
                    woken.incrementAndGet();
                  }));
    Await.until(
        "all wait",
        SOON,
        () -> all.stream().allMatch(one -> one.getState() == Thread.State.TIMED_WAITING));
    assertThat(threads.free()).isEqualTo(THREADS);
    end.countDown();

    Await.until("all have ended", SOON, () -> woken.get() == 100);
  }

  /** A thread that waits while a class is initialised cannot be taken off its carrier. */
  private static final class Pinning {
    static {
      await(end);
    }

    static void touch() {}
  }

  @Test
  void codeThatIsPinnedLeavesThreadsToTheOthers() {
    CodeThreads threads = threads();
    CountDownLatch pinned = new CountDownLatch(1);
    threads
        .builder()
        .start(
            () -> {
              pinned.countDown();
              Pinning.touch();
            });
    await(pinned);
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 20; i++)
      threads
          .builder()
          .start(
              () -> {
                LockSupport.parkNanos(1_000_000);
                ran.incrementAndGet();
                pool.execute(TaskKind.ENGINE, ran::incrementAndGet);
              });

    Await.until("all others have run", SOON, () -> ran.get() == 40);
  }

  @Test
  void codeThatYieldsForEverDoesNotStarveTheOthers() {
    CodeThreads threads = threads();
    AtomicBoolean over = new AtomicBoolean();
    for (int i = 0; i < 4; i++)
      threads
          .builder()
          .start(
              () -> {
                while (!over.get()) Thread.yield();
              });
    CountDownLatch ran = new CountDownLatch(2);
    threads.builder().start(ran::countDown);
    pool.execute(TaskKind.ENGINE, ran::countDown);

    await(ran);
    over.set(true);
  }

  @Test
  void codeThatWaitsForALockOrASocketGoesOn() throws IOException, InterruptedException {
    CodeThreads threads = threads();
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    AtomicInteger count = new AtomicInteger();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<Thread> all = new ArrayList<>();
      all.add(threads.builder().start(() -> echo(server)));
      all.add(threads.builder().start(() -> count.addAndGet(ask(server.getLocalPort()))));
      for (int i = 0; i < 20; i++)
        all.add(
            threads
                .builder()
                .start(
                    () -> {
                      for (int turn = 0; turn < 200; turn++) {
                        lock.lock();
                        try {
                          Thread.yield();
                        } finally {
                          lock.unlock();
                        }
                        synchronized (monitor) {
                          count.incrementAndGet();
                        }
                      }
                    }));
      for (Thread one : all) assertThat(one.join(SOON)).as(one.toString()).isTrue();
    }
    assertThat(count).hasValue(20 * 200 + 7);
  }

  private static void echo(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getOutputStream().write(socket.getInputStream().read());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int ask(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(7);
      return socket.getInputStream().read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void codeThatStillWaitsWhenThePoolEndsComesToItsEnd() throws InterruptedException {
    CodeThreads threads = threads();
    AtomicBoolean cleanedUp = new AtomicBoolean();
    Thread waiting =
        threads
            .builder()
            .start(
                () -> {
                  try {
                    await(end);
                    LockSupport.parkNanos(1_000_000);
                  } finally {
                    cleanedUp.set(true);
                  }
                });
    Await.until("it waits", SOON, () -> waiting.getState() == Thread.State.TIMED_WAITING);
    pool.close();
    Await.until("the threads have ended", SOON, () -> pool.threads().length == 0);
    end.countDown();

    assertThat(waiting.join(SOON)).isTrue();
    assertThat(cleanedUp).isTrue();
  }

  /** What a JVM does that was started without the flag, or with it. */
  static final class OnAnyJvm {
    private OnAnyJvm() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (TaskPool pool = new TaskPool(THREADS, "any", Thread::new)) {
        CodeThreads threads = CodeThreads.on(pool);
        CountDownLatch ran = new CountDownLatch(2);
        threads
            .builder()
            .start(
                () -> {
                  pool.execute(TaskKind.ENGINE, ran::countDown);
                  ran.countDown();
                });
        String all = ran.await(SOON.toSeconds(), TimeUnit.SECONDS) ? "ran" : "stood still";
        System.out.println(all + " on " + (threads == CodeThreads.JDK ? "the JDK's" : "the pool"));
      }
    }
  }

  @Test
  void withoutTheFlagCodeRunsOnTheJdksThreadsAndTheLogSaysSo() throws Exception {
    String said = onAnyJvm(List.of());

    assertThat(said).contains("ran on the JDK's").contains(JdkInternals.FLAG);
  }

  @Test
  void withTheFlagCodeRunsOnThePool() throws Exception {
    String said = onAnyJvm(List.of(JdkInternals.FLAG.split(" ")));

    assertThat(said).contains("ran on the pool").doesNotContain(JdkInternals.FLAG);
  }

  private static String onAnyJvm(List<String> flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of("-Dtenure.log.level=INFO", "-cp", System.getProperty("java.class.path")));
    command.add(OnAnyJvm.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // What the tests are started with must not be given to this one.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as(said).isTrue();
    return said;
  }
}
