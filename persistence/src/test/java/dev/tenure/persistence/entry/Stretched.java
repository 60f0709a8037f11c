package dev.tenure.persistence.entry;

import dev.tenure.workflow.Admitted;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A value as a release with higher limits would make it: each text and span that this release
 * limits is longer than the limit, in whatever record it is.
 */
final class Stretched {
  /** Longer than any limit of a text. */
  private static final String MORE = "x".repeat(2_500);

  private static final Duration LONGER = Duration.ofDays(365_000);

  /** The fields that were beyond a limit, as {@code Record.field}. */
  final Set<String> fields = new TreeSet<>();

  /** The value; itself where nothing in it has a limit. */
  Object of(Object value) {
    return switch (value) {
      case Optional<?> maybe -> maybe.map(this::of);
      case List<?> list -> list.stream().map(this::of).toList();
      case Map<?, ?> map -> {
        Map<Object, Object> all = new LinkedHashMap<>();
        map.forEach((key, each) -> all.put(key, of(each)));
        yield all;
      }
      case Record some -> ofRecord(some);
      default -> value;
    };
  }

  private Object ofRecord(Record value) {
    RecordComponent[] components = value.getClass().getRecordComponents();
    Object[] parts = new Object[components.length];
    for (int i = 0; i < parts.length; i++) parts[i] = of(part(components[i], value));
    for (int i = 0; i < parts.length; i++) {
      Object[] longer = parts.clone();
      longer[i] = longer(parts[i]);
      if (longer[i] == parts[i] || made(value, longer).isPresent()) continue;
      if (admitted(value, longer).isEmpty()) continue;
      parts = longer;
      fields.add(value.getClass().getSimpleName() + "." + components[i].getName());
    }
    return admitted(value, parts).orElseThrow();
  }

  private static Object part(RecordComponent component, Record of) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component.toString(), e);
    }
  }

  private static Object longer(Object value) {
    return switch (value) {
      case String text -> text + MORE;
      case Duration span -> span.plus(LONGER);
      case Optional<?> maybe when maybe.isPresent() && longer(maybe.get()) != maybe.get() ->
          Optional.of(longer(maybe.get()));
      case List<?> list when !list.isEmpty() && list.getFirst() instanceof String -> {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) all.add(list.get(i % list.size()));
        yield all;
      }
      case Map<?, ?> map
          when !map.isEmpty() && map.keySet().iterator().next() instanceof String -> {
        Map<Object, Object> all = new LinkedHashMap<>();
        map.forEach((key, each) -> all.put(key + MORE, each));
        yield all;
      }
      default -> value;
    };
  }

  private static Optional<Object> admitted(Record like, Object[] parts) {
    return Admitted.read(() -> made(like, parts));
  }

  /** Empty when the record refuses what it would be made of. */
  private static Optional<Object> made(Record like, Object[] parts) {
    try {
      Constructor<?> constructor =
          like.getClass()
              .getDeclaredConstructor(
                  Arrays.stream(like.getClass().getRecordComponents())
                      .map(RecordComponent::getType)
                      .toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return Optional.of(constructor.newInstance(parts));
    } catch (InvocationTargetException refused) {
      return Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(like.getClass().getName(), e);
    }
  }
}
