package dev.tenure.sharding.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Difference;
import java.util.Map;

/**
 * Whether two values are the same in JSON. The order of fields and the form of numbers do not
 * count. Where one object has fields that the other lacks, only the fields that both have are
 * compared: a class that gained or lost a field must not make its runs stand still. Two objects
 * that each have a field that the other lacks are different.
 */
public final class SameJson implements Difference.SameValue {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final PayloadCodec codec;

  /**
   * @param codec decrypts the values: the same value under another key has other bytes
   */
  public SameJson(PayloadCodec codec) {
    this.codec = codec;
  }

  @Override
  public boolean test(Payload recorded, Payload asked) {
    try {
      return same(
          JSON.readTree(codec.readableJsonOf(recorded, "A recorded value")),
          JSON.readTree(codec.readableJsonOf(asked, "A value")));
    } catch (JsonProcessingException e) {
      // No JSON: then it is compared by its bytes, which differ.
      return false;
    }
  }

  private static boolean same(JsonNode one, JsonNode other) {
    if (one.isObject() && other.isObject()) return sameFields(one, other);
    if (one.isArray() && other.isArray()) return sameElements(one, other);
    if (one.isNumber() && other.isNumber())
      return one.decimalValue().compareTo(other.decimalValue()) == 0;
    return one.equals(other);
  }

  private static boolean sameElements(JsonNode one, JsonNode other) {
    if (one.size() != other.size()) return false;
    for (int i = 0; i < one.size(); i++) if (!same(one.get(i), other.get(i))) return false;
    return true;
  }

  private static boolean sameFields(JsonNode one, JsonNode other) {
    if (hasMore(one, other) && hasMore(other, one)) return false;
    for (Map.Entry<String, JsonNode> field : one.properties()) {
      JsonNode counterpart = other.get(field.getKey());
      if (counterpart != null && !same(field.getValue(), counterpart)) return false;
    }
    return true;
  }

  /** An absent field and one of null are alike: whether nulls are written is configuration. */
  private static boolean hasMore(JsonNode one, JsonNode other) {
    for (Map.Entry<String, JsonNode> field : one.properties()) {
      if (!field.getValue().isNull() && !other.has(field.getKey())) return true;
    }
    return false;
  }
}
