package dev.tenure.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a load counts as warm. */
class WarmUpTest {
  private static WarmUp of(int seconds, int secondsMax) {
    Options options = new Options();
    options.warmupSeconds = seconds;
    options.warmupMaxSeconds = secondsMax;
    return new WarmUp(options);
  }

  @Test
  void itIsWarmWhenTwoWindowsWereNoFaster() {
    WarmUp warmUp = of(4, 60);

    assertThat(warmUp.isOver(1_000, 2)).isFalse();
    assertThat(warmUp.isOver(2_000, 2)).isFalse();
    assertThat(warmUp.isOver(2_020, 2)).isFalse();
    assertThat(warmUp.isOver(1_900, 2)).isTrue();
    assertThat(warmUp.seconds()).isEqualTo(8);
  }

  @Test
  void aWindowThatIsFasterBeginsAnew() {
    WarmUp warmUp = of(4, 60);

    assertThat(warmUp.isOver(1_000, 2)).isFalse();
    assertThat(warmUp.isOver(1_000, 2)).isFalse();
    assertThat(warmUp.isOver(1_100, 2)).isFalse();
    assertThat(warmUp.isOver(1_100, 2)).isFalse();
    assertThat(warmUp.isOver(1_100, 2)).isTrue();
  }

  @Test
  void itTakesAtLeastAsLongAsWasSaid() {
    WarmUp warmUp = of(10, 60);

    for (int i = 0; i < 4; i++) assertThat(warmUp.isOver(1_000, 2)).isFalse();
    assertThat(warmUp.isOver(1_000, 2)).isTrue();
  }

  @Test
  void whatNeverStandsStillHasItsTime() {
    WarmUp warmUp = of(4, 10);

    double perSecond = 1_000;
    for (int i = 0; i < 4; i++) assertThat(warmUp.isOver(perSecond *= 2, 2)).isFalse();
    assertThat(warmUp.isOver(perSecond * 2, 2)).isTrue();
  }
}
