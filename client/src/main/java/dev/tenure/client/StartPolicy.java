package dev.tenure.client;

import java.util.Locale;

/** What a start does when its id is taken. */
public enum StartPolicy {
  /** It is refused with {@link TenureException.AlreadyStarted}. */
  REJECT_DUPLICATE,
  /** It begins a new run when the workflow has ended, and is refused while that runs. */
  ALLOW_IF_CLOSED,
  /** It ends the workflow when that still runs, and begins a new run. */
  TERMINATE_IF_RUNNING;

  /** The word of the API: {@code allow-if-closed}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
