package dev.tenure.sharding.code;

/** Those that are under way in a run, in whatever branch. */
final class Sagas {
  private final Stage stage;
  private int open;

  Sagas(Stage stage) {
    this.stage = stage;
  }

  void begins() {
    open++;
  }

  void ends() {
    open--;
    stage.changed();
  }

  /** The method is over; a saga in a branch is undone before the run is, and not left (I12). */
  void await(Strand me) {
    if (open == 0 || stage.renews()) return;
    stage.root().cancelAll("The workflow's own method is over.");
    while (open > 0) {
      stage.watch(me);
      stage.rest(me);
    }
  }
}
