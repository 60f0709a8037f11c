package dev.tenure.sharding.failpoint;

/**
 * Places at which a test ends or holds a process. On a node nothing happens at them, unless it was
 * started to be tested.
 */
@FunctionalInterface
public interface Failpoints {
  Failpoints NONE = place -> {};

  void hit(String place);
}
