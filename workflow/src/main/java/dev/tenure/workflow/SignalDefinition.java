package dev.tenure.workflow;

/**
 * What senders and receivers of a signal agree on: its name and what it carries.
 *
 * <pre>{@code
 * static final SignalDefinition<Approval> APPROVAL = SignalDefinition.of("approval", Approval.class);
 * }</pre>
 */
public record SignalDefinition<T>(String name, TypeRef<T> payload) {
  public static final int NAME_BYTES_MAX = 256;

  public SignalDefinition {
    Text.require("signal name", name, NAME_BYTES_MAX);
  }

  public static <T> SignalDefinition<T> of(String name, Class<T> payload) {
    return of(name, TypeRef.of(payload));
  }

  public static <T> SignalDefinition<T> of(String name, TypeRef<T> payload) {
    return new SignalDefinition<>(name, payload);
  }
}
