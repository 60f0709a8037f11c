package dev.tenure.persistence.memory;

import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.membership.Formation;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.persistence.membership.Standing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Members inside one process, so all of one build: for tests and the in-memory engine. */
final class MemoryMembers implements Members {
  private final InstantSource clock;
  private final Map<String, MemberRow> rows = new TreeMap<>();
  private long newest;

  MemoryMembers(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized Formation seek(Holder self, Function<Roster, Formation> decision) {
    if (has(self)) touch(self, rows.get(self.node()).generation());
    else {
      var now = clock.instant();
      rows.put(self.node(), new MemberRow(self, OptionalLong.empty(), 1, now, now));
    }
    Formation formation = decision.apply(roster());
    if (formation instanceof Formation.Found found && found.generation() > newest) {
      newest = found.generation();
      rows.values()
          .removeIf(row -> row.generation().isPresent() && !row.node().node().equals(self.node()));
      touch(self, OptionalLong.of(newest));
    }
    return formation;
  }

  @Override
  public synchronized Standing joined(Holder self, long generation) {
    if (generation != newest || !has(self)) return new Standing.Superseded(newest);
    touch(self, OptionalLong.of(generation));
    return new Standing.Current();
  }

  @Override
  public synchronized Standing beat(Holder self, long generation, Duration clockAhead) {
    if (!has(self) || rows.get(self.node()).generation().orElse(0) != generation) {
      return new Standing.Superseded(newest);
    }
    touch(self, OptionalLong.of(generation));
    MemberRow row = rows.get(self.node());
    rows.put(self.node(), with(row, row.code(), Optional.of(clockAhead)));
    return new Standing.Current();
  }

  @Override
  public synchronized Map<Holder, Long> beats() {
    return roster().members().stream()
        .collect(Collectors.toUnmodifiableMap(MemberRow::node, MemberRow::beats));
  }

  @Override
  public synchronized Standing forget(Holder self, long generation, Collection<Holder> removed) {
    boolean isMember = has(self) && rows.get(self.node()).generation().orElse(0) == generation;
    Standing standing = isMember ? new Standing.Current() : new Standing.Superseded(newest);
    if (standing instanceof Standing.Current) removed.forEach(this::leave);
    return standing;
  }

  @Override
  public synchronized void deploys(Holder self, DeployedCode code) {
    if (!has(self)) return;
    MemberRow row = rows.get(self.node());
    rows.put(self.node(), with(row, Optional.of(code), row.clockAhead()));
  }

  private static MemberRow with(
      MemberRow row, Optional<DeployedCode> code, Optional<Duration> clockAhead) {
    return new MemberRow(
        row.node(),
        row.generation(),
        row.beats(),
        row.startedAt(),
        row.heartbeatAt(),
        code,
        row.engine(),
        row.reads(),
        clockAhead);
  }

  /** There is nothing to raise: the store is gone with the process. */
  @Override
  public FormatFloor raiseFloor() {
    return FormatFloor.FIRST;
  }

  @Override
  public synchronized void leave(Holder self) {
    if (has(self)) rows.remove(self.node());
  }

  @Override
  public synchronized Roster roster() {
    return new Roster(newest, List.copyOf(rows.values()), clock.instant());
  }

  private boolean has(Holder node) {
    MemberRow row = rows.get(node.node());
    return row != null && row.node().equals(node);
  }

  private void touch(Holder self, OptionalLong generation) {
    MemberRow row = rows.get(self.node());
    rows.put(
        self.node(),
        new MemberRow(
            self,
            generation,
            row.beats() + 1,
            row.startedAt(),
            clock.instant(),
            row.code(),
            row.engine(),
            row.reads(),
            row.clockAhead()));
  }
}
