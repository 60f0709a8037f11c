package dev.tenure.workflow.collation;

/** The activities there are, with what each means for the digits. */
public enum ActivityKind {
  TRIGGER(Category.D, Entry.LEG1),
  WORKER(Category.A, Entry.LEG1),
  AWAIT(Category.A, Entry.LEG1),
  TIME_HOOK(Category.A, Entry.LEG1),
  WEB_HOOK(Category.A, Entry.LEG1),
  PASSTHROUGH(Category.B, Entry.LEG1_STEPS),
  SIGNAL(Category.B, Entry.LEG1_STEPS),
  INTERRUPT_ANOTHER(Category.B, Entry.LEG1_STEPS),
  /**
   * Leaves the semaphore by the same commit as other kinds, so it has a GUID ledger like category
   * B.
   */
  SELF_INTERRUPT(Category.C, Entry.LEG1_STEPS),
  /** Hands its obligation to the pivot's re-entry: the semaphore does not move. */
  CYCLE(Category.C, Entry.LEG1),
  /** A hook with {@code cycle: true} that passes through. */
  PIVOT(Category.B, Entry.LEG1_PIVOT),
  /** A hook with {@code cycle: true} that sleeps the first time. */
  TIME_PIVOT(Category.A, Entry.LEG1_PIVOT),
  /** A hook with {@code cycle: true} that waits for a signal the first time. */
  WEB_PIVOT(Category.A, Entry.LEG1_PIVOT);

  private final Category category;
  private final Entry leg1Entry;

  ActivityKind(Category category, Entry leg1Entry) {
    this.category = category;
    this.leg1Entry = leg1Entry;
  }

  public Category category() {
    return category;
  }

  /** How a message of that leg enters. A trigger is entered by its {@link Inception} only. */
  public Entry entry(Leg leg) {
    return leg == Leg.LEG1 ? leg1Entry : Entry.LEG2;
  }

  /** Whether the steps run in Leg1, where the first of them also completes Leg1. */
  public boolean stepsInLeg1() {
    return category == Category.B || this == SELF_INTERRUPT;
  }

  public boolean isPivot() {
    return leg1Entry == Entry.LEG1_PIVOT;
  }

  /**
   * Whether completing Leg1 also takes the first Leg2 entry. A pivot that passes through has run in
   * dimension 0 without an entry: without the seed, its first re-entry would run there again. A
   * pivot that waits needs none, because its own Leg2 message takes that entry.
   */
  public boolean isPreSeeded() {
    return this == PIVOT || this == CYCLE;
  }

  /**
   * Whether running the job's completion tasks finalizes the activity. What cycles stays open for
   * re-entries, and the trigger's leading 1 is its seed.
   */
  public boolean isFinalizable() {
    return !isPivot() && this != CYCLE && this != TRIGGER;
  }
}
