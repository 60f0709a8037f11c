package dev.tenure.sharding.payload;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Where a value differs from the one that was written. Only types that say when they are equal are
 * compared; of containers and records, what is in them.
 */
final class Differences {
  private static final int TEXT_CHARS_MAX = 80;

  private Differences() {}

  /** Empty when there is none that can be told. */
  static Optional<String> between(Object written, Object back) {
    return at("it", written, back);
  }

  private static Optional<String> at(String path, Object written, Object back) {
    if (written == back || Objects.equals(written, back) && !isSorted(written))
      return Optional.empty();
    if (written == null || back == null) return differs(path, written, back);
    if (written.getClass().isArray()) return arrays(path, written, back);
    return switch (written) {
      case Optional<?> one ->
          back instanceof Optional<?> other
              ? at(path, one.orElse(null), other.orElse(null))
              : differs(path, written, back);
      case SortedMap<?, ?> map when back instanceof Map<?, ?> other ->
          inOrder(path, map.keySet(), other.keySet()).or(() -> entries(path, map, other));
      case Map<?, ?> map when back instanceof Map<?, ?> other -> entries(path, map, other);
      case SortedSet<?> set when back instanceof Collection<?> other -> inOrder(path, set, other);
      case List<?> list when back instanceof List<?> other -> inOrder(path, list, other);
      case Set<?> set when back instanceof Set<?> other -> sets(path, set, other);
      case Record one when one.getClass() == back.getClass() -> components(path, one, back);
      default -> saysWhenEqual(written) ? differs(path, written, back) : Optional.empty();
    };
  }

  /** Two sorted ones are equal in any order. */
  private static boolean isSorted(Object value) {
    return value instanceof SortedSet<?> || value instanceof SortedMap<?, ?>;
  }

  private static Optional<String> inOrder(String path, Collection<?> written, Collection<?> back) {
    if (written.size() != back.size()) return differs(path, written, back);
    Iterator<?> others = back.iterator();
    int i = 0;
    for (Object one : written) {
      Optional<String> found = at(path + "[" + i++ + "]", one, others.next());
      if (found.isPresent()) return found;
    }
    return Optional.empty();
  }

  private static Optional<String> sets(String path, Set<?> written, Set<?> back) {
    boolean comparable = written.stream().allMatch(Differences::saysWhenEqual);
    return comparable || written.size() != back.size()
        ? differs(path, written, back)
        : Optional.empty();
  }

  private static Optional<String> entries(String path, Map<?, ?> written, Map<?, ?> back) {
    if (!written.keySet().equals(back.keySet())) return differs(path, written, back);
    for (Map.Entry<?, ?> entry : written.entrySet()) {
      Optional<String> found =
          at(path + "[" + entry.getKey() + "]", entry.getValue(), back.get(entry.getKey()));
      if (found.isPresent()) return found;
    }
    return Optional.empty();
  }

  private static Optional<String> arrays(String path, Object written, Object back) {
    return back.getClass().isArray()
        ? inOrder(path, elements(written), elements(back))
        : differs(path, written, back);
  }

  private static List<Object> elements(Object array) {
    Object[] all = new Object[Array.getLength(array)];
    for (int i = 0; i < all.length; i++) all[i] = Array.get(array, i);
    return Arrays.asList(all);
  }

  private static Optional<String> components(String path, Record written, Object back) {
    for (RecordComponent component : written.getClass().getRecordComponents()) {
      var accessor = component.getAccessor();
      if (!accessor.trySetAccessible()) return differs(path, written, back);
      try {
        Optional<String> found =
            at(path + "." + component.getName(), accessor.invoke(written), accessor.invoke(back));
        if (found.isPresent()) return found;
      } catch (ReflectiveOperationException e) {
        return differs(path + "." + component.getName(), written, e);
      }
    }
    return Optional.empty();
  }

  private static boolean saysWhenEqual(Object value) {
    try {
      return value.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("Every class has equals.", e);
    }
  }

  private static Optional<String> differs(String path, Object written, Object back) {
    return Optional.of("%s was %s and came back as %s".formatted(path, text(written), text(back)));
  }

  private static String text(Object value) {
    if (value == null) return "null";
    String text = String.valueOf(value);
    String cut = text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) + "…" : text;
    return "%s (%s)".formatted(cut, value.getClass().getName());
  }
}
