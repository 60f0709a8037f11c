package dev.tenure.house.canary.workflow;

/** Breaks the house rules on purpose: the core starts a thread. */
final class Impure {
  Thread start() {
    return Thread.startVirtualThread(() -> {});
  }
}
