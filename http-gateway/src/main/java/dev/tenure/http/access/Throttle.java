package dev.tenure.http.access;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** How much each caller, and all of them together, may ask for. */
public final class Throttle {
  /**
   * @param ratePerSecond operations of one caller, on the average
   * @param burst operations of one caller at once, after a rest
   * @param openPerCaller requests of one caller that are not answered yet; as many more may wait
   *     for tasks
   * @param openInAll requests of all callers that are not answered yet; as many more may wait for
   *     tasks
   */
  public record Limits(int ratePerSecond, int burst, int openPerCaller, int openInAll) {
    public static final Limits DEFAULT = new Limits(10_000, 20_000, 2_000, 4_000);

    public Limits {
      if (ratePerSecond < 1 || burst < 1 || openPerCaller < 1 || openInAll < 1) {
        throw new IllegalArgumentException("limits of requests count from 1");
      }
    }
  }

  /** A request that is under way. */
  public interface Pass {
    /** One that nobody counts. */
    Pass NONE =
        new Pass() {
          @Override
          public void waits() {}

          @Override
          public void leave() {}
        };

    /**
     * The request waits for work from now on, and costs the node nothing until it leaves. It does
     * not count as open any more: idle workers must not keep the reports of busy ones out. Throws
     * when too many wait.
     */
    void waits();

    void leave();
  }

  private static final Duration OVERLOAD_PAUSE = Duration.ofSeconds(1);
  private static final double NANOS = 1e9;

  private final Limits limits;
  private final LongSupplier nanoTime;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  // As many as there are credentials, which the operator gives out.
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();

  private final class Account {
    private double tokens = limits.burst;
    private long filledAt = nanoTime.getAsLong();
    private int openNow;
    private int waitingNow;

    synchronized void enter(int operations) {
      long now = nanoTime.getAsLong();
      tokens = Math.min(limits.burst, tokens + (now - filledAt) / NANOS * limits.ratePerSecond);
      filledAt = now;
      if (openNow >= limits.openPerCaller) {
        throw limited("open requests", "OPEN_PER_CALLER", limits.openPerCaller)
            .retryAfter(OVERLOAD_PAUSE);
      }
      if (tokens < operations) {
        double missing = (operations - tokens) / limits.ratePerSecond;
        throw limited("operations a second", "RATE_PER_SECOND", limits.ratePerSecond)
            .retryAfter(Duration.ofSeconds((long) Math.ceil(missing)));
      }
      tokens -= operations;
      openNow++;
    }

    synchronized void leave() {
      openNow--;
    }

    synchronized void waits() {
      if (waitingNow >= limits.openPerCaller)
        throw limited("requests that wait for tasks", "WAITING_PER_CALLER", limits.openPerCaller)
            .retryAfter(OVERLOAD_PAUSE);
      waitingNow++;
      openNow--;
    }

    synchronized void leaveWaiting() {
      waitingNow--;
    }
  }

  private static ApiFault limited(String what, String limit, int value) {
    return ApiFault.of(
            ErrorCode.RATE_LIMITED,
            "This credential may have %d %s: come back later.".formatted(value, what))
        .with("limit", limit);
  }

  public Throttle(Limits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /** Lets a request in, or throws what says when to come again. */
  public Pass enter(Caller caller, int operations) {
    if (open.incrementAndGet() > limits.openInAll) {
      open.decrementAndGet();
      throw ApiFault.of(
              ErrorCode.OVERLOADED,
              "This node has %d requests under way: come back later.".formatted(limits.openInAll))
          .retryAfter(OVERLOAD_PAUSE);
    }
    Account account = accounts.computeIfAbsent(caller.name(), name -> new Account());
    try {
      account.enter(Math.min(operations, limits.burst));
    } catch (ApiFault refused) {
      open.decrementAndGet();
      throw refused;
    }
    return new Admitted(account);
  }

  private final class Admitted implements Pass {
    private final Account account;
    private boolean isWaiting;
    private boolean hasLeft;

    private Admitted(Account account) {
      this.account = account;
    }

    @Override
    public synchronized void waits() {
      if (hasLeft || isWaiting) return;
      if (waiting.incrementAndGet() > limits.openInAll) {
        waiting.decrementAndGet();
        throw ApiFault.of(
                ErrorCode.OVERLOADED,
                "On this node %d requests wait for tasks: come back later."
                    .formatted(limits.openInAll))
            .with("limit", "WAITING_IN_ALL")
            .retryAfter(OVERLOAD_PAUSE);
      }
      try {
        account.waits();
      } catch (ApiFault refused) {
        waiting.decrementAndGet();
        throw refused;
      }
      isWaiting = true;
      open.decrementAndGet();
    }

    @Override
    public synchronized void leave() {
      if (hasLeft) return;
      hasLeft = true;
      if (isWaiting) {
        account.leaveWaiting();
        waiting.decrementAndGet();
      } else {
        account.leave();
        open.decrementAndGet();
      }
    }
  }

  /** Requests that are under way now. */
  public int open() {
    return open.get();
  }
}
