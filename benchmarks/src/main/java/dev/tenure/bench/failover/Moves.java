package dev.tenure.bench.failover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** Which node each workflow moves on, since when, and for how long it stood still. */
final class Moves {
  private static final int NOWHERE = -1;

  private final int[] node;
  private final long[] since;
  private final long[] last;
  private final long[] longestGap;

  Moves(int workflows) {
    this.node = new int[workflows];
    this.since = new long[workflows];
    this.last = new long[workflows];
    this.longestGap = new long[workflows];
    Arrays.fill(node, NOWHERE);
  }

  synchronized void moved(int workflow, int where, long now) {
    if (node[workflow] != NOWHERE)
      longestGap[workflow] = Math.max(longestGap[workflow], now - last[workflow]);
    if (node[workflow] != where) since[workflow] = now;
    node[workflow] = where;
    last[workflow] = now;
  }

  synchronized boolean haveAllMoved() {
    return Arrays.stream(node).noneMatch(one -> one == NOWHERE);
  }

  /** Those that moved on this node last. */
  synchronized List<Integer> on(int where) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < node.length; i++) if (node[i] == where) all.add(i);
    return all;
  }

  /** When the last of these moved elsewhere for the first time; empty while one has not. */
  synchronized OptionalLong allLeft(List<Integer> some, int where) {
    if (some.stream().anyMatch(one -> node[one] == where)) return OptionalLong.empty();
    return some.stream().mapToLong(one -> since[one]).max();
  }

  synchronized void forgetGaps() {
    Arrays.fill(longestGap, 0);
  }

  /** For how long one of them did not move, since the gaps were forgotten. */
  synchronized long longestGap(List<Integer> some) {
    return some.stream().mapToLong(one -> longestGap[one]).max().orElse(0);
  }
}
