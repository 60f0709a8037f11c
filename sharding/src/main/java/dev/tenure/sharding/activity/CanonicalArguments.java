package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.workflow.Payload;
import java.io.IOException;
import org.erdtman.jcs.JsonCanonicalizer;

/** The arguments of a call in the form in which they are hashed. */
public final class CanonicalArguments {
  private CanonicalArguments() {}

  /** What the call is, with its arguments. */
  public static InvocationKey invocation(ActivityKey key, Payload input) {
    return InvocationKey.of(
        key.workflow().value(), key.operation(), key.activity(), canonical(input));
  }

  /** JSON as RFC 8785 writes it; what is no JSON object or array, or is encrypted, as it is. */
  static byte[] canonical(Payload input) {
    byte[] bytes = input.bytes();
    if (bytes.length == 0 || bytes[0] != '{' && bytes[0] != '[') return bytes;
    try {
      return new JsonCanonicalizer(bytes).getEncodedUTF8();
    } catch (IOException notJson) {
      return bytes;
    }
  }
}
