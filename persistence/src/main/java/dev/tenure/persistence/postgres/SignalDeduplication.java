package dev.tenure.persistence.postgres;

import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.ContentHash;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The signals of a batch, each once: a repetition within the batch gets the result of the first.
 */
final class SignalDeduplication {
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final List<Signal> signals = new ArrayList<>();
  private final int[] placeOf;
  private final boolean[] repeated;

  SignalDeduplication(List<Signal> all) {
    placeOf = new int[all.size()];
    repeated = new boolean[all.size()];
    for (int i = 0; i < placeOf.length; i++) {
      Signal signal = all.get(i);
      Integer earlier = places.putIfAbsent(signal.storageKey(), signals.size());
      repeated[i] = earlier != null;
      placeOf[i] = earlier == null ? signals.size() : earlier;
      if (earlier == null) signals.add(signal);
    }
  }

  List<Signal> signals() {
    return signals;
  }

  /** The results of all, from those of {@link #signals}. */
  List<SignalResult> spread(List<SignalResult> results) {
    List<SignalResult> all = new ArrayList<>(placeOf.length);
    for (int i = 0; i < placeOf.length; i++) {
      SignalResult result = results.get(placeOf[i]);
      all.add(
          repeated[i] && result instanceof SignalResult.Accepted(AcceptedSignalResult first)
              ? new SignalResult.Duplicate(first, content(placeOf[i]))
              : result);
    }
    return all;
  }

  private Optional<ContentHash> content(int place) {
    return Optional.of(ContentHash.of(signals.get(place).payload()));
  }
}
