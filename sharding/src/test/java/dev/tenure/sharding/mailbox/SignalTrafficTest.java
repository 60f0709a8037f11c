package dev.tenure.sharding.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.Together;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class SignalTrafficTest {
  private final SignalTraffic traffic = new SignalTraffic();

  @Test
  void nothingIsPutIntoTheInboxWhileTheOwnerTakesOne() {
    assertThat(traffic.beginTaking()).isTrue();
    assertThat(traffic.mayStore()).isFalse();
    traffic.endTaking();
    assertThat(traffic.mayStore()).isTrue();
  }

  @Test
  void theOwnerTakesNoneUntilItKnowsWhatBecameOfThoseInTheInbox() {
    assertThat(traffic.mayStore()).isTrue();
    assertThat(traffic.mayStore()).isTrue();
    traffic.stored();
    assertThat(traffic.beginTaking()).isFalse();
    traffic.stored();
    assertThat(traffic.beginTaking()).isTrue();
  }

  @Test
  void neverBothAtOnce() {
    for (int round = 0; round < 2_000; round++) {
      SignalTraffic raced = new SignalTraffic();
      Callable<Boolean> stores = raced::mayStore;
      Callable<Boolean> takes = raced::beginTaking;
      List<Boolean> both = Together.run(stores, takes);
      assertThat(both.get(0) && both.get(1)).isFalse();
    }
  }
}
