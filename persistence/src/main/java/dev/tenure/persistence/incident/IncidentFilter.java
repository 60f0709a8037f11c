package dev.tenure.persistence.incident;

import java.util.Optional;

/**
 * Which incidents are wanted; what is empty excludes nothing.
 *
 * @param type the name of the workflow type, in any version
 */
public record IncidentFilter(
    Optional<String> kind, Optional<String> type, Optional<String> fingerprint) {
  public static final IncidentFilter ALL =
      new IncidentFilter(Optional.empty(), Optional.empty(), Optional.empty());

  public static IncidentFilter ofFingerprint(String fingerprint) {
    return new IncidentFilter(Optional.empty(), Optional.empty(), Optional.of(fingerprint));
  }

  public IncidentFilter withKind(String one) {
    return new IncidentFilter(Optional.of(one), type, fingerprint);
  }

  public IncidentFilter withType(String one) {
    return new IncidentFilter(kind, Optional.of(one), fingerprint);
  }

  public boolean matches(IncidentRow row) {
    return kind.map(row.kind()::equals).orElse(true)
        && type.map(row.type().name()::equals).orElse(true)
        && fingerprint.map(row.fingerprint()::equals).orElse(true);
  }
}
