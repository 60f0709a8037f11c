package dev.tenure.workflow.kernel;

import java.util.List;

/** Whether a command is news, said before the program is asked. Nothing is committed by it. */
public sealed interface Admission {
  /**
   * Go on to {@link Kernel#decide}, with what the program wishes after these news. Where there are
   * none, the program is not asked.
   */
  record Accepted(List<News> news) implements Admission {
    public Accepted {
      news = List.copyOf(news);
    }
  }

  /** The command is refused; nothing happens. */
  record Refused(Reply reply) implements Admission {}

  /** The command came before; nothing happens again. */
  record Duplicate(Reply reply) implements Admission {}

  /** There is nothing to do, and no sender waits for an answer. */
  record Ignored(String reason) implements Admission {}
}
