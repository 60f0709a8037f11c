package dev.tenure.sharding.workflow;

import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.visibility.Workflows;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Storages whose scans can be turned off: nothing but messages wakes owners then. */
final class UnscannedTasks {
  private UnscannedTasks() {}

  /** Turns the scans off, and counts how often owners look at their tasks from then on. */
  static final class Switch {
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean off;

    /** What every look goes through. */
    private volatile Function<
            Function<List<TaskId>, List<Optional<TaskStanding>>>,
            Function<List<TaskId>, List<Optional<TaskStanding>>>>
        around = real -> real;

    void off() {
      looks.set(0);
      off = true;
    }

    void on() {
      off = false;
    }

    int looksSince() {
      return looks.get();
    }

    void around(
        Function<
                Function<List<TaskId>, List<Optional<TaskStanding>>>,
                Function<List<TaskId>, List<Optional<TaskStanding>>>>
            with) {
      around = with;
    }
  }

  static Storage in(Storage real, Switch scans) {
    return new ForwardingStorage(real) {
      @Override
      public Tasks tasks() {
        return over(super.tasks(), scans);
      }

      @Override
      public Workflows workflows() {
        return over(super.workflows(), scans);
      }
    };
  }

  private static Workflows over(Workflows real, Switch scans) {
    return (Workflows)
        Proxy.newProxyInstance(
            Workflows.class.getClassLoader(),
            new Class<?>[] {Workflows.class},
            (proxy, method, arguments) ->
                method.getName().equals("due") && scans.off
                    ? List.of()
                    : call(real, method, arguments));
  }

  @SuppressWarnings("unchecked")
  private static Tasks over(Tasks real, Switch scans) {
    return (Tasks)
        Proxy.newProxyInstance(
            Tasks.class.getClassLoader(),
            new Class<?>[] {Tasks.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("expire") && scans.off)
                return new Tasks.Expired(List.of(), Set.of());
              if (!method.getName().equals("standing")) return call(real, method, arguments);
              List<Optional<TaskStanding>> found =
                  scans.around.apply(real::standing).apply((List<TaskId>) arguments[0]);
              scans.looks.incrementAndGet();
              return found;
            });
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
