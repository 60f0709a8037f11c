package dev.tenure.persistence.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.operation.OperationKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecCodecTest {
  @ParameterizedTest
  @EnumSource(OperationKind.class)
  void aKindReadsBack(OperationKind kind) {
    BinaryWriter out = new BinaryWriter(8);
    SpecCodec.kind(out, kind);
    assertThat(SpecCodec.kind(new BinaryReader(out.toBytes()))).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 255})
  void aKindOfANewerEngineIsRefused(int number) {
    byte[] one = {(byte) number, 0};
    assertThatThrownBy(() -> SpecCodec.kind(new BinaryReader(one)))
        .isInstanceOf(PersistedEntryIncompatibleError.class)
        .hasMessageContaining("a kind of operation of kind " + number);
    assertThatThrownBy(() -> SpecCodec.spec(new BinaryReader(one)))
        .isInstanceOf(PersistedEntryIncompatibleError.class)
        .hasMessageContaining("an operation of kind " + number);
  }
}
