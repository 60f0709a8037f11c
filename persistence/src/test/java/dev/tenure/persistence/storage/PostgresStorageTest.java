package dev.tenure.persistence.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresStorageTest {
  @Test
  void aDurablePrimaryOffersEverything() {
    try (TestDatabase database = TestDatabase.empty();
        PostgresStorage storage = database.open()) {
      assertThat(storage.capabilities().findings()).isEmpty();
      var claim =
          storage
              .leases()
              .acquire(3, new Holder("a:1", 1), Membership.UNKNOWN, Duration.ofSeconds(10));
      assertThat(claim).isInstanceOf(Leases.Claim.Granted.class);
      long epoch = ((Leases.Claim.Granted) claim).epoch();
      assertThat(
              storage
                  .leases()
                  .renew(new Holder("a:1", 1), Map.of(3, epoch, 4, 9L), Duration.ofSeconds(9)))
          .containsExactly(3);
      storage.leases().release(3, new Holder("a:1", 1), epoch);
    }
  }
}
