package dev.tenure.sharding.lease;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All leases of one node. It never says that it holds a lease that it may have lost: it gives a
 * lease up when the store says so, and also when the store could not be asked in time. That time is
 * measured by this process's own monotonic clock, from before the last successful beat was sent.
 *
 * <p>Per shard there is at most one claim under way. Two would race in the store, and the one whose
 * caller has given up could be granted last and so fence the other.
 *
 * <p>It has neither threads nor a clock of its own, and beats when it is told to: {@link Tenures}
 * gives it those of a process, the simulation those of a simulated node.
 */
public final class LeaseKeeper {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

  private final Leases leases;
  private final Holder self;
  private final Membership membership;
  private final LeaseTimes times;
  private final LongSupplier nanoTime;
  private final LeaseWork work;
  private final Looks looks;
  private final LeaseReleases releases;

  private final Map<Integer, HeldLease> held = new ConcurrentHashMap<>();
  private final Map<Integer, Claiming> claims = new HashMap<>();
  private volatile IntConsumer whenGranted = shard -> {};
  private boolean drains;
  private boolean closed;

  /** Learns from each beat what the store's clock showed between its question and its answer. */
  @FunctionalInterface
  public interface Looks {
    void looked(long asked, Instant store, long answered);
  }

  /**
   * @param nanoTime a clock that only measures, as {@link System#nanoTime}
   */
  public LeaseKeeper(
      Leases leases,
      Holder self,
      Membership membership,
      LeaseTimes times,
      LongSupplier nanoTime,
      LeaseWork work,
      Looks looks) {
    this.leases = leases;
    this.self = self;
    this.membership = membership;
    this.times = times;
    this.nanoTime = nanoTime;
    this.work = work;
    this.looks = looks;
    this.releases = new LeaseReleases(leases, self, work);
  }

  /**
   * Claims the shard under a new epoch. Always ends within the claim limit: while a shard waits for
   * its lease, Pekko hands over no other shard.
   *
   * @param lost called once if the lease is lost after it was granted, never when it is released
   */
  public CompletionStage<Boolean> acquire(int shard, Consumer<Optional<Throwable>> lost) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Claiming.Request request =
        new Claiming.Request(answer, lost, nanoTime.getAsLong() + times.claimLimit().toNanos());
    synchronized (this) {
      if (closed) return CompletableFuture.completedFuture(false);
      if (drains) return CompletableFuture.completedFuture(true);
      // The shard starts again: the new epoch fences commits that are left over from its last
      // start.
      held.remove(shard);
      Claiming underWay = claims.get(shard);
      if (underWay != null) {
        underWay.request.ifPresent(older -> older.answer().complete(false));
        underWay.request = Optional.of(request);
      } else {
        Claiming claiming = new Claiming();
        claiming.request = Optional.of(request);
        claims.put(shard, claiming);
        work.claim(() -> claim(shard, claiming));
      }
    }
    work.later(times.claimLimit(), () -> giveUp(shard, request));
    return answer;
  }

  /**
   * The node hands its shards over. One that waits for its lease answers nothing else, so it is
   * told that it has it, without a question to the store, which may be what it waits for: no
   * workflow begins in it, because there is no tenure, and it is handed over at once.
   */
  void drain() {
    List<Claiming.Request> waiting = new ArrayList<>();
    synchronized (this) {
      drains = true;
      for (Claiming claiming : claims.values()) {
        claiming.request.ifPresent(waiting::add);
        claiming.request = Optional.empty();
      }
    }
    waiting.forEach(request -> request.answer().complete(true));
  }

  private void giveUp(int shard, Claiming.Request request) {
    synchronized (this) {
      Claiming claiming = claims.get(shard);
      if (claiming != null) claiming.request = claiming.request.filter(r -> r != request);
    }
    // A claim that is still under way and granted later is given back: its caller has given up.
    request.answer().complete(false);
  }

  private void claim(int shard, Claiming claiming) {
    try {
      tryToClaim(shard, claiming);
    } catch (RuntimeException | Error e) {
      // A claim that stayed behind would be waited for by every later claim of the shard.
      synchronized (this) {
        claims.remove(shard, claiming);
      }
      claiming.request.ifPresent(request -> request.answer().completeExceptionally(e));
      throw e;
    }
  }

  private void tryToClaim(int shard, Claiming claiming) {
    claimTogether();
    synchronized (this) {
      if (claims.get(shard) != claiming) return; // granted together with others
      if (claiming.request.isEmpty() || closed) {
        claims.remove(shard);
        return;
      }
    }
    long sent = nanoTime.getAsLong();
    Leases.Claim claim;
    try {
      claim = leases.acquire(shard, self, membership, times.timeToLive());
    } catch (RuntimeException e) {
      again(shard, claiming, times.claimRetry(), Optional.of(e));
      return;
    }
    switch (claim) {
      case Leases.Claim.Granted granted -> granted(shard, claiming, sent, granted);
      case Leases.Claim.Refused refused -> {
        Duration wait =
            refused.atMost().compareTo(times.claimRetry()) < 0
                ? refused.atMost()
                : times.claimRetry();
        again(shard, claiming, wait, Optional.empty());
      }
    }
  }

  /**
   * Claims many shards at once: one by one, the last shard of a lost node would wait for all the
   * others.
   */
  private void claimTogether() {
    Map<Integer, Claiming> together = new HashMap<>();
    synchronized (this) {
      claims.forEach(
          (shard, claiming) -> {
            if (claiming.isNew && claiming.request.isPresent()) together.put(shard, claiming);
          });
      if (closed || together.size() < 2) return;
      together.values().forEach(claiming -> claiming.isNew = false);
    }
    long sent = nanoTime.getAsLong();
    Map<Integer, Leases.Claim.Granted> granted;
    try {
      granted = leases.acquireFree(together.keySet(), self, membership, times.timeToLive());
    } catch (RuntimeException e) {
      log.debug("{} shards could not be claimed together: {}", together.size(), e.getMessage());
      return;
    }
    granted.forEach((shard, claim) -> granted(shard, together.get(shard), sent, claim));
  }

  private void granted(int shard, Claiming claiming, long sent, Leases.Claim.Granted granted) {
    long trustedUntil = sent + times.trusted().toNanos();
    Optional<Claiming.Request> waiting;
    synchronized (this) {
      claims.remove(shard);
      // The answer came so late that the granted lease may have expired already.
      boolean late = nanoTime.getAsLong() - trustedUntil >= 0;
      waiting = late || closed ? Optional.empty() : claiming.request;
      waiting.ifPresentOrElse(
          request -> held.put(shard, new HeldLease(granted.epoch(), trustedUntil, request.lost())),
          () -> claiming.request.ifPresent(request -> request.answer().complete(false)));
    }
    if (waiting.isEmpty()) {
      releases.release(shard, granted.epoch());
      return;
    }
    log.debug("shard {} at epoch {}: {}", shard, granted.epoch(), granted.reason());
    waiting.get().answer().complete(true);
    whenGranted.accept(shard);
  }

  private void again(int shard, Claiming claiming, Duration wait, Optional<Exception> failure) {
    synchronized (this) {
      boolean timeIsUp =
          claiming.request.isEmpty()
              || claiming.request.get().deadline() - nanoTime.getAsLong() <= wait.toNanos();
      if (closed || timeIsUp) {
        claims.remove(shard);
        claiming.request.ifPresent(
            request ->
                failure.ifPresentOrElse(
                    request.answer()::completeExceptionally,
                    () -> request.answer().complete(false)));
        return;
      }
    }
    work.later(
        wait,
        () -> {
          synchronized (this) {
            claiming.isNew = true;
          }
          work.claim(() -> claim(shard, claiming));
        });
  }

  /** Gives the shard up, and back to the store. */
  public CompletionStage<Boolean> release(int shard) {
    HeldLease was;
    synchronized (this) {
      Claiming claiming = claims.get(shard);
      if (claiming != null) {
        claiming.request.ifPresent(request -> request.answer().complete(false));
        claiming.request = Optional.empty();
      }
      was = held.remove(shard);
    }
    return was == null
        ? CompletableFuture.completedFuture(true)
        : releases.release(shard, was.epoch);
  }

  /** The epoch at which this node holds the shard, while it does. */
  public OptionalLong epochOf(int shard) {
    HeldLease lease = held.get(shard);
    return lease == null || isOver(lease) ? OptionalLong.empty() : OptionalLong.of(lease.epoch);
  }

  private boolean isOver(HeldLease lease) {
    return nanoTime.getAsLong() - lease.trustedUntil >= 0;
  }

  /** Extends the node's time for everything that it holds, and learns what it has lost. */
  public void beat() {
    synchronized (this) {
      if (closed) return;
    }
    Map<Integer, HeldLease> asked = Map.copyOf(held);
    long sent = nanoTime.getAsLong();
    Leases.Beat answer;
    try {
      answer = leases.beat(self, times.timeToLive());
    } catch (RuntimeException e) {
      log.warn("{} leases could not be renewed: {}", asked.size(), e.getMessage());
      return;
    }
    long answered = nanoTime.getAsLong();
    Map<Integer, Long> stored = answer.held();
    asked.forEach(
        (shard, lease) -> {
          if (Long.valueOf(lease.epoch).equals(stored.get(shard)))
            lease.trustedUntil = sent + times.trusted().toNanos();
          else lose(shard, lease, taken(shard, lease));
        });
    stored.forEach(this::giveBackUnheld);
    looks.looked(sent, answer.at(), answered);
  }

  private TenureLostError late(int shard, HeldLease lease) {
    String why = "it could not be renewed within " + times.trusted().toMillis() + " ms";
    return new TenureLostError(shard, lease.epoch, why);
  }

  private static TenureLostError taken(int shard, HeldLease lease) {
    return new TenureLostError(shard, lease.epoch, "another holder took it");
  }

  /**
   * The store names the shard, and this node does not hold it: it gave it up without the store, or
   * its release failed. While it beats, no other node could take the shard.
   */
  private void giveBackUnheld(int shard, long epoch) {
    synchronized (this) {
      HeldLease lease = held.get(shard);
      boolean isHeld = lease != null && lease.epoch == epoch;
      // A claim that is under way may have been granted already.
      if (isHeld || closed || claims.containsKey(shard)) return;
    }
    releases.release(shard, epoch);
  }

  /**
   * The store refused a commit under this epoch. If this node still believes in it, the store is
   * asked at once: until the next beat, every owner in the shard would recover and be refused.
   */
  public void fenced(int shard, long epoch) {
    HeldLease lease = held.get(shard);
    if (lease == null || lease.epoch != epoch || !lease.isChecked.compareAndSet(false, true))
      return;
    work.blocking(
        () -> {
          try {
            if (!isStored(shard, lease)) lose(shard, lease, taken(shard, lease));
          } catch (RuntimeException e) {
            log.warn("the lease of shard {} could not be checked: {}", shard, e.getMessage());
          } finally {
            lease.isChecked.set(false);
          }
        });
  }

  private boolean isStored(int shard, HeldLease lease) {
    Optional<Lease> stored = leases.find(shard).filter(row -> row.epoch() == lease.epoch);
    return stored.flatMap(Lease::holder).equals(Optional.of(self));
  }

  /** Gives up what was not renewed in time. To be called often, and never blocks. */
  public void expire() {
    held.forEach(
        (shard, lease) -> {
          if (isOver(lease)) lose(shard, lease, late(shard, lease));
        });
  }

  /** Gives up everything at once, for a node that may not go on. */
  void loseAll(String reason) {
    synchronized (this) {
      closed = true;
    }
    giveUpAll(reason);
  }

  /** Gives up everything that is held. Its next beat gives it back to the store. */
  void giveUpAll(String reason) {
    held.forEach(
        (shard, lease) -> lose(shard, lease, new TenureLostError(shard, lease.epoch, reason)));
  }

  private void lose(int shard, HeldLease lease, TenureLostError why) {
    // Exactly this lease: the shard may have been claimed anew meanwhile.
    if (!held.remove(shard, lease)) return;
    log.warn(why.getMessage());
    lease.lost.accept(Optional.of(why));
  }

  /** Tells of every shard that is held from now on, and of those that are held already. */
  void whenGranted(IntConsumer listener) {
    whenGranted = listener;
    held.keySet().forEach(listener::accept);
  }

  /** The shards that are held. */
  Set<Integer> shards() {
    return Set.copyOf(held.keySet());
  }

  /** How many shards are held. */
  int size() {
    return held.size();
  }

  /** Completed when every release that is under way has ended. */
  CompletionStage<Void> released() {
    return releases.ended();
  }
}
