package dev.tenure.http;

import dev.tenure.http.Served.Plan;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * A node in a process of its own that is killed at the worst moment: when the database has
 * committed, and nobody has been told. What does it names itself {@code kill-…}; a signal that
 * names itself {@code doomed-…} kills it one step earlier, before anything reached the database.
 */
public final class KilledServer {
  private KilledServer() {}

  /** Prints where it listens, and waits to be killed. */
  public static void main(String[] arguments) throws InterruptedException {
    Served served =
        Served.at(
            arguments[0],
            new Plan(Plan.ORDINARY.gateway(), KilledServer::deadly, Plan.ORDINARY.retention()));
    System.out.println("at " + served.uri);
    System.out.flush();
    new CountDownLatch(1).await();
  }

  private static Storage deadly(Storage storage) {
    Signals signals = deadly(storage.signals());
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, given) -> {
              if (method.getName().equals("signals")) return signals;
              boolean commits = method.getName().equals("commit");
              if (commits && isDoomed((List<?>) given[0])) die();
              Object result = call(storage, method, given);
              if (commits && isDeadly((List<?>) given[0])) die();
              return result;
            });
  }

  private static Signals deadly(Signals signals) {
    return (Signals)
        Proxy.newProxyInstance(
            Signals.class.getClassLoader(),
            new Class<?>[] {Signals.class},
            (proxy, method, given) -> {
              boolean accepts = method.getName().equals("accept");
              if (accepts && isDoomed((List<?>) given[0])) die();
              Object result = call(signals, method, given);
              if (accepts && isDeadly((List<?>) given[0])) die();
              return result;
            });
  }

  private static boolean isDoomed(List<?> batch) {
    return signals(batch).anyMatch(signal -> signal.id().startsWith("doomed-"));
  }

  private static boolean isDeadly(List<?> batch) {
    return signals(batch).anyMatch(signal -> signal.id().startsWith("kill-"))
        || batch.stream()
            .anyMatch(
                each ->
                    each instanceof Commit commit && commit.id().persistenceId().contains("kill-"));
  }

  /** The signals that it accepts, by themselves or with the commits that consume them. */
  private static Stream<Signal> signals(List<?> batch) {
    return batch.stream()
        .flatMap(
            each ->
                each instanceof Commit commit
                    ? commit.sideRows().stream()
                        .filter(SideRow.SignalTaken.class::isInstance)
                        .map(row -> ((SideRow.SignalTaken) row).signal())
                    : Stream.of(each).filter(Signal.class::isInstance).map(Signal.class::cast));
  }

  private static Object call(Object target, Method method, Object[] given) throws Throwable {
    try {
      return method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** By the signal that nothing can catch; no answer leaves this process any more. */
  private static void die() {
    try {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid()))
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      Runtime.getRuntime().halt(137);
    }
  }
}
