package dev.tenure.simulation;

import java.util.List;

/**
 * One thing that a simulated workflow does.
 *
 * @param choices what was drawn for it; what a kind does with the first, the second …, its code
 *     says. One that is missing is 0
 * @param inner what happens within it: the parts of its branches, one list for each
 */
public record Part(Kind kind, List<Integer> choices, List<List<Part>> inner) {
  /** What a choice is drawn below. */
  static final int CHOICE_BOUND = 64;

  /** What it is, with how often it is drawn among all. */
  public enum Kind {
    STEP(4),
    VALUE_STEP(3),
    STEPS_AT_ONCE(3),
    THROWING_STEP(3),
    HASTY_STEP(2),
    ACTIVITY(3),
    KEYED(5),
    SLEEP(3),
    RECORDED(4),
    ATTRIBUTE(2),
    SIGNAL(4),
    CHANNELS(5),
    BURST(1),
    SAGA(5),
    SCOPE(2),
    CONDITION(3),
    BRANCHES(4),
    FIRST(2),
    EACH(2),
    HANDLERS(1),
    SHIELDED(2),
    CHILD(6),
    MESSAGE(3),
    CANCEL_OTHER(1),
    LARGE(4),
    FAILURE(0),
    RENEWAL(0);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    int weight() {
      return weight;
    }
  }

  public Part {
    choices = choices == null ? List.of() : List.copyOf(choices);
    inner = inner == null ? List.of() : List.copyOf(inner);
  }

  int choice(int number, int bound) {
    return number < choices.size() ? choices.get(number) % bound : 0;
  }

  boolean is(int number) {
    return choice(number, 2) == 1;
  }

  List<Part> branch(int number) {
    return number < inner.size() ? inner.get(number) : List.of();
  }
}
