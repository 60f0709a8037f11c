package dev.tenure.http.json;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A JSON value that a client sent, with its place in the body: a payload is handed on as the
 * received bytes, so that nothing of it is rounded, reordered or written anew on its way to the
 * workflow.
 */
public sealed interface Json {
  Slice at();

  record Text(String value, Slice at) implements Json {}

  /**
   * @param literal as it was written
   */
  record Num(String literal, Slice at) implements Json {}

  record Bool(boolean value, Slice at) implements Json {}

  record Null(Slice at) implements Json {}

  record Arr(List<Json> items, Slice at) implements Json {}

  /** The fields in the order in which they came; no name stands there twice. */
  record Obj(Map<String, Json> fields, Slice at) implements Json {}

  /** A part of a document. */
  record Slice(byte[] source, int start, int end) {
    /** Of what was not written as JSON, but in a path or a header. */
    public static final Slice NONE = new Slice(new byte[0], 0, 0);

    public byte[] bytes() {
      return Arrays.copyOfRange(source, start, end);
    }
  }

  static Json text(String value) {
    return new Text(value, Slice.NONE);
  }

  /** What it is called when something else was expected. */
  default String kind() {
    return switch (this) {
      case Text t -> "a string";
      case Num n -> "a number";
      case Bool b -> "a boolean";
      case Null n -> "null";
      case Arr a -> "an array";
      case Obj o -> "an object";
    };
  }
}
