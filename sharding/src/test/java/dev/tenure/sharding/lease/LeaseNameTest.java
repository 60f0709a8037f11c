package dev.tenure.sharding.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LeaseNameTest {
  @Test
  void theTypeMayContainTheSeparator() {
    assertThat(LeaseName.parse("tenure", "tenure-shard-my-type-17"))
        .isEqualTo(new LeaseName("my-type", 17));
  }

  @Test
  void whatIsNotTheLeaseOfANumberedShardIsRefused() {
    assertThatThrownBy(() -> LeaseName.parse("tenure", "tenure-pekko-sbr"))
        .hasMessageContaining("'tenure-pekko-sbr' is not the lease of a shard");
    assertThatThrownBy(() -> LeaseName.parse("tenure", "tenure-shard-counter-blue"))
        .hasMessageContaining("'blue' is not a shard's number");
    assertThatThrownBy(() -> LeaseName.parse("tenure", "tenure-shard-7"))
        .hasMessageContaining("not the lease of a shard");
  }
}
