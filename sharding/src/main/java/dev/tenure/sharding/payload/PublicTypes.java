package dev.tenure.sharding.payload;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The type under which a value of a class is recorded. That is the class itself, unless it cannot
 * be read: {@code java.time.ZoneRegion} is recorded as the {@code ZoneId} that it is.
 */
final class PublicTypes {
  private static final int CACHE_MAX = 10_000;

  private final ObjectMapper json;

  // By class, so there are as many entries as the code has classes.
  private final Map<Class<?>, JavaType> found = new ConcurrentHashMap<>();

  PublicTypes(ObjectMapper json) {
    this.json = json;
  }

  JavaType of(Object value) {
    Class<?> own = value.getClass();
    JavaType known = found.get(own);
    if (known != null) return known;
    JavaType type = json.constructType(own);
    if (!own.isRecord() && !PayloadCodec.isSimple(value) && !comesBack(value, type)) {
      Optional<JavaType> other = readable(value);
      // No type can be read: the class itself is recorded, so that the error names it.
      if (other.isEmpty()) return type;
      type = other.get();
    }
    if (found.size() < CACHE_MAX) found.put(own, type);
    return type;
  }

  private Optional<JavaType> readable(Object value) {
    for (Class<?> type : supertypes(value.getClass())) {
      if (!isPublic(type)) continue;
      JavaType candidate = json.constructType(type);
      if (comesBack(value, candidate)) return Optional.of(candidate);
    }
    return Optional.empty();
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && type.getModule().isExported(type.getPackageName());
  }

  /** Whether it is an object of the same class again when it is read as that type. */
  private boolean comesBack(Object value, JavaType type) {
    try {
      Object back = json.readerFor(type).readValue(json.writerFor(type).writeValueAsBytes(value));
      return back != null && back.getClass() == value.getClass();
    } catch (IOException | RuntimeException cannot) {
      return false; // the next type is tried, and the last one says why
    }
  }

  /**
   * The nearest type that both are and whose JSON says which of its subtypes a value is, so that
   * values of both can stand in one container.
   */
  Optional<JavaType> shared(JavaType one, JavaType other) {
    Set<Class<?>> candidates = new LinkedHashSet<>();
    candidates.add(one.getRawClass());
    candidates.addAll(supertypes(one.getRawClass()));
    for (Class<?> candidate : candidates) {
      if (!candidate.isAssignableFrom(other.getRawClass())) continue;
      JavaType type = json.constructType(candidate);
      if (saysItsSubtype(type)) return Optional.of(type);
    }
    return Optional.empty();
  }

  private boolean saysItsSubtype(JavaType type) {
    try {
      return json.getDeserializationConfig().findTypeDeserializer(type) != null;
    } catch (JsonMappingException e) {
      return false;
    }
  }

  /** Its superclasses, and then all interfaces, the nearest first. */
  private static List<Class<?>> supertypes(Class<?> own) {
    List<Class<?>> classes = new ArrayList<>();
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    for (Class<?> at = own; at != null && at != Object.class; at = at.getSuperclass()) {
      if (at != own) classes.add(at);
      addInterfaces(at, interfaces);
    }
    classes.addAll(interfaces);
    return classes;
  }

  private static void addInterfaces(Class<?> of, Set<Class<?>> all) {
    for (Class<?> one : of.getInterfaces()) if (all.add(one)) addInterfaces(one, all);
  }
}
