package dev.tenure.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.lang.reflect.Type;

/**
 * What a signal is called and what it carries. Make a constant of it.
 *
 * @param <T> what it carries
 */
public final class SignalDefinition<T> {
  private final String name;
  private final Type payload;

  private SignalDefinition(String name, Type payload) {
    this.name = name;
    this.payload = payload;
  }

  public static <T> SignalDefinition<T> of(String name, Class<T> payload) {
    return new SignalDefinition<>(name, payload);
  }

  public static <T> SignalDefinition<T> of(String name, TypeReference<T> payload) {
    return new SignalDefinition<>(name, payload.getType());
  }

  public String name() {
    return name;
  }

  Type payload() {
    return payload;
  }

  @Override
  public String toString() {
    return name;
  }
}
