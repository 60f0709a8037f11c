package dev.tenure.node.config;

/** A value that must not be seen: printing it, or a record that holds it, prints stars. */
public final class Secret {
  private final String value;

  public Secret(String value) {
    this.value = value;
  }

  /** The value itself, for the one place that needs it. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "******";
  }
}
