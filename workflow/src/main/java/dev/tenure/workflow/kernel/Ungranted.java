package dev.tenure.workflow.kernel;

/**
 * The wishes of a program that no commit holds yet: the replayed program is newer and asks for
 * more, or one commit did not hold all. The next decision grants them.
 */
public final class Ungranted {
  private Wishes wishes = Wishes.NONE;

  /** Whether everything that the program asked for was granted. */
  public boolean isEmpty() {
    return wishes.isEmpty();
  }

  /** Whether the program has continued as new. */
  public boolean continuesAsNew() {
    return !isEmpty() && wishes.wishes().getLast() instanceof Wish.ContinueAsNew;
  }

  /** Behind what the program asked for before. */
  public void keep(Wishes rest) {
    wishes = wishes.then(rest);
  }

  /**
   * All that the next commit may grant. What a paused workflow asks for beyond its record waits
   * until it is resumed: a pause holds also what other code asks for anew.
   *
   * @param now what the program asks for with this command
   */
  public Wishes take(Command command, WorkflowState state, Wishes now) {
    if (isEmpty()) return now;
    boolean waits = state.pauseReason().isPresent() && !(command instanceof Command.Resume);
    // The kernel is told that more follows: it would count a graph's message as one without any.
    if (waits) return new Wishes(now.wishes(), true);
    Wishes all = wishes.then(now);
    forget();
    return all;
  }

  /** A program that is brought to the same point asks for it again. */
  public void forget() {
    wishes = Wishes.NONE;
  }
}
