package dev.tenure.client;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Pages as one stream: the next one is asked for when the stream has got there. */
final class Pages {
  /**
   * @param next where the next page begins; empty on the last one
   */
  record Page<T>(List<T> items, Optional<String> next) {}

  private Pages() {}

  static <T> Stream<T> stream(Optional<String> from, Function<Optional<String>, Page<T>> source) {
    return Stream.of(from)
        .flatMap(
            start ->
                Stream.iterate(
                    Optional.of(source.apply(start)),
                    Optional::isPresent,
                    page -> page.get().next().map(next -> source.apply(Optional.of(next)))))
        .flatMap(page -> page.get().items().stream());
  }
}
