package dev.tenure.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which incidents are wanted: those that fit everything said here.
 *
 * @param type of the workflow, in any version
 */
public record IncidentFilter(
    Optional<String> kind, Optional<String> type, Optional<String> fingerprint) {
  public static final IncidentFilter ALL =
      new IncidentFilter(Optional.empty(), Optional.empty(), Optional.empty());

  public IncidentFilter kind(String one) {
    return new IncidentFilter(Optional.of(one), type, fingerprint);
  }

  public IncidentFilter type(String name) {
    return new IncidentFilter(kind, Optional.of(name), fingerprint);
  }

  /** Of this cause. */
  public IncidentFilter fingerprint(String one) {
    return new IncidentFilter(kind, type, Optional.of(one));
  }

  /** As the API reads it. */
  Map<String, String> words() {
    Map<String, String> words = new LinkedHashMap<>();
    kind.ifPresent(one -> words.put("kind", one));
    type.ifPresent(name -> words.put("type", name));
    fingerprint.ifPresent(one -> words.put("fingerprint", one));
    return words;
  }
}
