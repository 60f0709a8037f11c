package dev.tenure.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Caller shop = new Caller("shop", Set.of(Scope.CLIENT));
  private final Caller other = new Caller("other", Set.of(Scope.CLIENT));

  private Throttle throttle(int rate, int burst, int perCaller, int inAll) {
    return new Throttle(new Throttle.Limits(rate, burst, perCaller, inAll), nanos::get);
  }

  private static ApiFault refused(Throttle throttle, Caller caller) {
    try {
      throttle.enter(caller, 1);
    } catch (ApiFault fault) {
      return fault;
    }
    throw new AssertionError(caller + " was let in");
  }

  @Test
  void aCallerMayDoABurstAndThenAsMuchAsTheRate() {
    Throttle throttle = throttle(2, 4, 100, 100);
    for (int i = 0; i < 4; i++) throttle.enter(shop, 1).leave();
    ApiFault fault = refused(throttle, shop);
    assertThat(fault.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(fault.retryAfter().orElseThrow().toSeconds()).isEqualTo(1);
    throttle.enter(other, 1).leave();
    nanos.addAndGet(500_000_000L);
    throttle.enter(shop, 1).leave();
    assertThat(refused(throttle, shop).code()).isEqualTo(ErrorCode.RATE_LIMITED);
    nanos.addAndGet(3_600_000_000_000L);
    for (int i = 0; i < 4; i++) throttle.enter(shop, 1).leave();
    assertThat(refused(throttle, shop).extras()).containsEntry("limit", "RATE_PER_SECOND");
  }

  @Test
  void aBatchCostsAsMuchAsItsCalls() {
    Throttle throttle = throttle(1, 10, 100, 100);
    throttle.enter(shop, 9).leave();
    throttle.enter(shop, 1).leave();
    assertThat(refused(throttle, shop).code()).isEqualTo(ErrorCode.RATE_LIMITED);
  }

  @Test
  void openRequestsAreCountedUntilTheyLeave() {
    Throttle throttle = throttle(100, 100, 2, 3);
    Throttle.Pass first = throttle.enter(shop, 1);
    throttle.enter(shop, 1);
    assertThat(refused(throttle, shop).extras()).containsEntry("limit", "OPEN_PER_CALLER");
    throttle.enter(other, 1);
    assertThat(refused(throttle, other).code()).isEqualTo(ErrorCode.OVERLOADED);
    first.leave();
    first.leave();
    assertThat(throttle.open()).isEqualTo(2);
    throttle.enter(shop, 1);
    assertThat(throttle.open()).isEqualTo(3);
  }

  @Test
  void requestsThatWaitForWorkAreCountedByThemselves() {
    Throttle throttle = throttle(100, 100, 1, 2);
    Throttle.Pass waiting = throttle.enter(shop, 1);
    waiting.waits();
    waiting.waits();
    assertThat(throttle.open()).isZero();
    Throttle.Pass second = throttle.enter(shop, 1);
    assertThat(refusedToWait(second).extras()).containsEntry("limit", "WAITING_PER_CALLER");
    second.leave();
    throttle.enter(other, 1).waits();
    Throttle.Pass third = throttle.enter(new Caller("third", Set.of(Scope.WORKER)), 1);
    assertThat(refusedToWait(third).extras()).containsEntry("limit", "WAITING_IN_ALL");
    waiting.leave();
    waiting.leave();
    third.waits();
    third.leave();
    throttle.enter(shop, 1).waits();
    assertThat(throttle.open()).isZero();
  }

  private static ApiFault refusedToWait(Throttle.Pass pass) {
    try {
      pass.waits();
    } catch (ApiFault fault) {
      return fault;
    }
    throw new AssertionError("it waits");
  }

  @Test
  void limitsCountFromOne() {
    assertThatThrownBy(() -> new Throttle.Limits(0, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
