package dev.tenure.sharding.payload;

import dev.tenure.workflow.LimitExceededException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The type in front of a value whose reader does not name it: {@code 01, length (2), name}, or for
 * a type of the JDK that most results have {@code 03, number}. Neither is the beginning of JSON,
 * and 02 is that of an encrypted payload.
 */
final class TypeTag {
  private static final byte NAMED = 1;
  private static final byte NUMBERED = 3;
  private static final int NAME_BYTES_MAX = 0xffff;

  /** The numbers count from 1. What is stored has them: types are only ever added at the end. */
  private static final List<String> NUMBERED_TYPES =
      List.of(
          "java.lang.String",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Boolean",
          "java.lang.Double",
          "java.math.BigDecimal",
          "java.util.UUID",
          "java.time.Instant");

  private TypeTag() {}

  static byte[] of(String type) {
    int index = NUMBERED_TYPES.indexOf(type);
    if (index >= 0) return new byte[] {NUMBERED, (byte) (index + 1)};
    byte[] name = type.getBytes(StandardCharsets.UTF_8);
    byte[] tag = new byte[3 + name.length];
    tag[0] = NAMED;
    tag[1] = (byte) (name.length >>> 8);
    tag[2] = (byte) name.length;
    System.arraycopy(name, 0, tag, 3, name.length);
    return tag;
  }

  /** Throws for a tag whose name is too long for its length to be written. */
  static void requireWritable(byte[] tag) {
    int name = tag.length - 3;
    if (name > NAME_BYTES_MAX)
      throw new LimitExceededException(
          "NAME_BYTES_MAX", name, NAME_BYTES_MAX, "Name the type with a TypeRef.");
  }

  /**
   * How many bytes of a payload are its tag: none of one that only its reader knows the type of.
   */
  static int length(byte[] payload) {
    return switch (payload[0]) {
      case NAMED -> 3 + nameBytes(payload);
      case NUMBERED -> 2;
      default -> 0;
    };
  }

  private static int nameBytes(byte[] payload) {
    return (payload[1] & 0xff) << 8 | payload[2] & 0xff;
  }

  /**
   * The name of the type, of a payload that has a tag; no type has the name of an unknown number.
   */
  static String name(byte[] payload) {
    if (payload[0] == NAMED)
      return new String(payload, 3, nameBytes(payload), StandardCharsets.UTF_8);
    int number = payload[1] & 0xff;
    return number >= 1 && number <= NUMBERED_TYPES.size()
        ? NUMBERED_TYPES.get(number - 1)
        : "type number " + number + ", which only a newer engine knows";
  }
}
