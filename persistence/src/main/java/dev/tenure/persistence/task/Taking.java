package dev.tenure.persistence.task;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which waiting tasks of a queue go to which workers. A higher priority comes first; among
 * the tasks of one priority the fairness keys take turns; of one key the oldest comes first. Every
 * storage asks here, under its lock of the queue.
 */
public final class Taking {
  /** Tasks that are taken in one transaction. */
  public static final int TOGETHER_MAX = 1_000;

  /** A task that goes to the worker of a poll. */
  public record Pick(int poll, Lane lane, long number) {}

  /**
   * @param turns of the priorities whose keys had a turn
   * @param unknown lanes whose further tasks have to be read, because they may come before what was
   *     picked. When there are some, read them and decide again
   */
  public record Choice(List<Pick> picks, List<Turn> turns, Set<Lane> unknown) {}

  private final List<Tasks.Poll> polls;
  private final int[] given;
  private final Map<String, Integer> begun = new HashMap<>();
  private final List<Pick> picks = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();
  private final Set<Lane> unknown = new HashSet<>();
  private int wanted;

  private Taking(List<Tasks.Poll> polls) {
    this.polls = polls;
    this.given = new int[polls.size()];
    this.wanted = wanted(polls);
  }

  /** How many tasks all of them want. */
  public static int wanted(List<Tasks.Poll> polls) {
    int all = 0;
    for (Tasks.Poll poll : polls) all = Math.min(TOGETHER_MAX, all + poll.max());
    return all;
  }

  /** Whether one of them can run the activity. */
  public static boolean isWanted(List<Tasks.Poll> polls, String activity) {
    return polls.stream().anyMatch(poll -> accepts(poll, activity));
  }

  private static boolean accepts(Tasks.Poll poll, String activity) {
    return poll.activities().isEmpty() || poll.activities().contains(activity);
  }

  /**
   * @param lanes by priority, the highest first, and in the order of their keys' turns
   * @param cut whether there may be lanes behind the last one that were not looked at
   */
  public static Choice choose(List<Lane> lanes, boolean cut, List<Tasks.Poll> polls) {
    Taking taking = new Taking(polls);
    Map<Integer, List<Lane>> levels = new LinkedHashMap<>();
    for (Lane lane : lanes)
      levels.computeIfAbsent(lane.priority(), priority -> new ArrayList<>()).add(lane);
    int left = levels.size();
    for (List<Lane> level : levels.values()) taking.serve(level, cut && --left == 0);
    return new Choice(taking.picks, taking.turns, taking.unknown);
  }

  /** A lane, and how far its tasks are given away. */
  private static final class Ahead {
    private final Lane lane;
    private int next;

    private Ahead(Lane lane) {
      this.lane = lane;
    }

    private long number() {
      return lane.numbers().get(next);
    }
  }

  private void serve(List<Lane> level, boolean cut) {
    if (wanted == 0) return;
    Map<String, List<Ahead>> keys = new LinkedHashMap<>();
    for (Lane lane : level)
      keys.computeIfAbsent(lane.fairnessKey(), key -> new ArrayList<>()).add(new Ahead(lane));
    Optional<String> last = Optional.empty();
    boolean allHadTheirTurn = false;
    while (!keys.isEmpty() && wanted > 0) {
      Iterator<Map.Entry<String, List<Ahead>>> round = keys.entrySet().iterator();
      while (round.hasNext() && wanted > 0) {
        Map.Entry<String, List<Ahead>> key = round.next();
        if (pickOldest(key.getValue())) last = Optional.of(key.getKey());
        else round.remove();
      }
      allHadTheirTurn |= !round.hasNext();
    }
    int priority = level.getFirst().priority();
    // Otherwise the lanes behind the last one would never be looked at.
    if (cut && allHadTheirTurn) turns.add(Turn.behind(level.getLast()));
    else last.ifPresent(key -> turns.add(Turn.of(key, priority)));
  }

  private boolean pickOldest(List<Ahead> lanes) {
    Optional<Ahead> oldest = Optional.empty();
    int poll = -1;
    for (Ahead ahead : lanes) {
      Lane lane = ahead.lane;
      if (begun(lane) >= lane.room()) continue;
      boolean isRead = ahead.next < lane.numbers().size();
      if (!isRead && !lane.hasMore()) continue;
      if (isRead && oldest.filter(other -> other.number() < ahead.number()).isPresent()) continue;
      int candidate = pollFor(lane.activity());
      if (candidate < 0) continue;
      if (isRead) {
        oldest = Optional.of(ahead);
        poll = candidate;
      } else unknown.add(lane);
    }
    if (oldest.isEmpty()) return false;
    Ahead ahead = oldest.get();
    picks.add(new Pick(poll, ahead.lane, ahead.number()));
    ahead.next++;
    given[poll]++;
    wanted--;
    if (ahead.lane.limits().isLimited()) begun.merge(ahead.lane.limits().scope(), 1, Integer::sum);
    return true;
  }

  private int begun(Lane lane) {
    return lane.limits().isLimited() ? begun.getOrDefault(lane.limits().scope(), 0) : 0;
  }

  /** The one that has got the fewest, so that all of them have work; -1 when there is none. */
  private int pollFor(String activity) {
    int best = -1;
    for (int i = 0; i < given.length; i++) {
      Tasks.Poll poll = polls.get(i);
      if (given[i] == poll.max() || !accepts(poll, activity)) continue;
      if (best < 0 || given[i] < given[best]) best = i;
    }
    return best;
  }

  /** How many tasks of each scope were picked. */
  public static Map<String, Integer> begunByScope(List<Pick> picks) {
    Map<String, Integer> all = new HashMap<>();
    for (Pick pick : picks)
      if (pick.lane.limits().isLimited()) all.merge(pick.lane.limits().scope(), 1, Integer::sum);
    return all;
  }

  /** Throws when a poll asks for what no storage gives. */
  public static void requireValid(List<Tasks.Poll> polls) {
    if (polls.size() > Tasks.MAX_BATCH)
      throw new IllegalArgumentException(
          "%d polls at once: use at most %d.".formatted(polls.size(), Tasks.MAX_BATCH));
    for (Tasks.Poll poll : polls)
      if (poll.max() < 1 || poll.max() > Tasks.TAKE_MAX)
        throw new IllegalArgumentException(
            "A poll for %d tasks: ask for 1 to %d.".formatted(poll.max(), Tasks.TAKE_MAX));
  }

  /** The turns of all priorities, with those that are new. */
  public static List<Turn> merged(List<Turn> before, List<Turn> news) {
    Map<Integer, Turn> all = new LinkedHashMap<>();
    for (Turn turn : before) all.put(turn.priority(), turn);
    for (Turn turn : news) all.put(turn.priority(), turn);
    return List.copyOf(all.values());
  }
}
