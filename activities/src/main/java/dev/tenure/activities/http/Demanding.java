package dev.tenure.activities.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.activities.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;

/**
 * Which types require something of a body. The fields of a bean do not: every object, and {@code
 * {}}, is one whose fields are all null.
 */
final class Demanding {
  private static final Set<Class<?>> SINGLE_VALUES =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class);

  private Demanding() {}

  /** Throws unless a body has to have something to be a value of the type. */
  static void require(Class<?> type) {
    boolean single = type.isPrimitive() && type != void.class || SINGLE_VALUES.contains(type);
    // They hide nothing: the caller looks for what the answer has to have.
    boolean shown = JsonNode.class.isAssignableFrom(type) || type == Map.class;
    boolean record = type.isRecord() && type.getRecordComponents().length > 0;
    if (!single && !shown && !record) throw new AnswerTypeException(type);
  }

  /** Whether it says nothing at all: a record of which the body gave every component as null. */
  static boolean isEmpty(Object value) {
    if (value == null || !value.getClass().isRecord()) return false;
    for (JsonNode component : Json.MAPPER.valueToTree(value)) if (!component.isNull()) return false;
    return true;
  }
}
