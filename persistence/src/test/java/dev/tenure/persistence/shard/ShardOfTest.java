package dev.tenure.persistence.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shard of a workflow is part of the stored format. */
class ShardOfTest {
  @ParameterizedTest
  @CsvSource({
    "'',64,27",
    "'',128,27",
    "'',1000,203",
    "'a',1,0",
    "'a',64,56",
    "'a',128,120",
    "'a',1000,736",
    "'order-1',64,19",
    "'order-1',128,83",
    "'order-1',1000,827",
    "'order-2',64,3",
    "'order-2',128,67",
    "'order-2',1000,643",
    "'ORDER-1',64,8",
    "'ORDER-1',128,8",
    "'ORDER-1',1000,528",
    "'träger/ü',64,24",
    "'träger/ü',128,88",
    "'träger/ü',1000,344",
    "'注文-42',64,61",
    "'注文-42',128,61",
    "'注文-42',1000,357",
    "'🚀',64,26",
    "'🚀',128,90",
    "'🚀',1000,626",
    "'a-rather-long-workflow-id-with-many-characters-0123456789',64,6",
    "'a-rather-long-workflow-id-with-many-characters-0123456789',128,70",
    "'a-rather-long-workflow-id-with-many-characters-0123456789',1000,782"
  })
  void theShardsOfTheseWorkflowsNeverChange(String id, int shards, int expected) {
    assertThat(ShardOf.workflow(id, shards)).isEqualTo(expected);
  }

  @Test
  void idsThatDifferOnlyInTheirEndSpreadEvenly() {
    int[] perShard = new int[64];
    for (int i = 0; i < 64_000; i++) perShard[ShardOf.workflow("order-" + i, 64)]++;

    // 1000 each, standard deviation about 31: six of them either way.
    assertThat(Arrays.stream(perShard).boxed())
        .allSatisfy(count -> assertThat(count).isBetween(810, 1190));
  }
}
