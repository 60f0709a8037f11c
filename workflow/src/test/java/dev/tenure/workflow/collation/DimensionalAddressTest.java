package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DimensionalAddressTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Trigger                            | ,0",
        "First child of trigger             | ,0,0",
        "Second-level child                 | ,0,0,0",
        "Cycle re-entry of child at depth 1 | ,0,1",
        "Children of re-entered activity    | ,0,1,0",
      })
  void everyActivityHasItsAddress(String activity, String address) {
    DimensionalAddress child = DimensionalAddress.ROOT.adjacent();
    DimensionalAddress made =
        switch (activity) {
          case "Trigger" -> DimensionalAddress.ROOT;
          case "First child of trigger" -> child;
          case "Second-level child" -> child.adjacent();
          case "Cycle re-entry of child at depth 1" -> child.inDimension(1);
          case "Children of re-entered activity" -> child.inDimension(1).adjacent();
          default -> throw new AssertionError(activity);
        };
    assertThat(made).isEqualTo(new DimensionalAddress(address));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // where the cycle stands, its ancestor's depth, what the ancestor receives, its second
        // plane
        ",0,0,1,0   | 1 | ,0,0     | ,0,1",
        ",0,0,1,0   | 2 | ,0,0,0   | ,0,0,1",
        ",0,1,0,2   | 1 | ,0,0     | ,0,1",
        ",0,1,0,2   | 2 | ,0,1,0   | ,0,1,1",
        ",0,1,0,2   | 3 | ,0,1,0,0 | ,0,1,0,1",
        ",0,1,0,2   | 0 | ,0       | ,1",
      })
  void aCycleSendsItsAncestorTheAddressOfItsFirstPlane(
      String cycle, int depth, String received, String resolved) {
    DimensionalAddress reentry = new DimensionalAddress(cycle).reentryAt(depth);
    assertThat(reentry.path()).isEqualTo(received);
    assertThat(reentry.depth()).isEqualTo(depth);
    assertThat(reentry.inDimension(1).path()).isEqualTo(resolved);
  }

  @Test
  void theFirstReentryOfAPivotRunsInDimensionOneAndItsChildrenBelowIt() {
    DimensionalAddress pivot = DimensionalAddress.ROOT.adjacent();
    ActivityLedger afterLeg1 =
        ActivityLedger.NEW.enterLeg1().orThrow().completeLeg1(ActivityKind.PIVOT).orThrow();
    assertThat(pivot.inDimension(GuidLedger.LEG1.dimension()).adjacent()).hasToString(",0,0,0");
    ActivityLedger reentered = afterLeg1.enterLeg2().orThrow();
    int dimension = GuidLedger.seed(reentered).dimension();
    assertThat(pivot.inDimension(dimension)).hasToString(",0,1");
    assertThat(pivot.inDimension(dimension).adjacent()).hasToString(",0,1,0");
  }

  @Test
  void indexAndDepthAreRead() {
    DimensionalAddress address = new DimensionalAddress(",0,10,99999998");
    assertThat(address.depth()).isEqualTo(2);
    assertThat(address.index()).isEqualTo(99_999_998);
    assertThat(DimensionalAddress.ROOT.depth()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        ",",
        ",0,",
        ",,0",
        ",0,x",
        ",-1",
        ",0, 1",
        ",01",
        ",00",
        ",99999999",
        ",0,٣",
        ",9999999999999999999"
      })
  void anAddressHasOneSpelling(String path) {
    assertThatThrownBy(() -> new DimensionalAddress(path)).isInstanceOf(CorruptLedgerError.class);
  }

  @Test
  void theDeepestAddressIsTakenAndOneDeeperIsNot() {
    DimensionalAddress deepest =
        new DimensionalAddress(",0".repeat(DimensionalAddress.DEPTH_MAX + 1));
    assertThat(deepest.depth()).isEqualTo(DimensionalAddress.DEPTH_MAX);
    assertThatThrownBy(deepest::adjacent)
        .isInstanceOf(CorruptLedgerError.class)
        .hasMessageContaining("DEPTH_MAX");
  }

  @Test
  void aCycleGoesToAnAncestor() {
    DimensionalAddress address = new DimensionalAddress(",0,0");
    assertThatThrownBy(() -> address.reentryAt(2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> address.reentryAt(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
