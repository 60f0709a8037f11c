package dev.tenure.persistence.postgres;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.OutcomeCodec;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Values as columns of rows beside the journal, in the journal's own format. A large payload is a
 * row of {@code payload}, and the column refers to it. The same value is always the same bytes.
 */
final class StoredValues {
  private static final int EXPECTED_BYTES = 256;

  private StoredValues() {}

  /**
   * @param apart receives what has to be stored in {@code payload}
   */
  static byte[] of(Payload payload, Apart apart) {
    return written(payload, apart, OutcomeCodec::payload);
  }

  /**
   * Whatever its size: for a value that changes often, so that no row of payload is left behind.
   */
  static byte[] inFull(Payload payload) {
    BinaryWriter out = new BinaryWriter(payload.size() + EXPECTED_BYTES);
    OutcomeCodec.payload(out, payload);
    return out.toBytes();
  }

  static Payload payload(byte[] stored, Payloads payloads) {
    return read(stored, payloads, OutcomeCodec::payload);
  }

  static byte[] of(Outcome outcome, Apart apart) {
    return written(outcome, apart, OutcomeCodec::outcome);
  }

  static Outcome outcome(byte[] stored, Payloads payloads) {
    return read(stored, payloads, OutcomeCodec::outcome);
  }

  static byte[] of(Failure failure) {
    BinaryWriter out = new BinaryWriter(EXPECTED_BYTES);
    OutcomeCodec.failure(out, failure);
    return out.toBytes();
  }

  static Failure failure(byte[] stored) {
    return OutcomeCodec.failure(new BinaryReader(stored));
  }

  private static <T> byte[] written(T value, Apart apart, BiConsumer<BinaryWriter, T> write) {
    BinaryWriter out = new BinaryWriter(EXPECTED_BYTES);
    out.keepApart(apart);
    write.accept(out, value);
    return out.toBytes();
  }

  private static <T> T read(byte[] stored, Payloads payloads, Function<BinaryReader, T> read) {
    return read.apply(new BinaryReader(stored, payloads));
  }
}
