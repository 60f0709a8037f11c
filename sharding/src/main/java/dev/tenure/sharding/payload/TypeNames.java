package dev.tenure.sharding.payload;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.type.TypeFactory;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types of values for which the code named no type. Their class is recorded; for containers,
 * the kind of container and the type of its elements, because the container's own class is an
 * implementation detail.
 */
final class TypeNames {
  private static final int CACHE_MAX = 10_000;

  private final TypeFactory types;
  private final PublicTypes publicTypes;
  private final Map<String, JavaType> byName = new ConcurrentHashMap<>();

  TypeNames(ObjectMapper json, TypeFactory types) {
    this.types = types;
    this.publicTypes = new PublicTypes(json);
  }

  /** The type of this very value; throws when its elements do not agree on one. */
  JavaType of(Object value) {
    return switch (value) {
      case Optional<?> optional ->
          types.constructReferenceType(
              Optional.class, optional.map(this::of).orElseGet(TypeFactory::unknownType));
      case SortedMap<?, ?> map -> mapOf(SortedMap.class, map);
      case Map<?, ?> map -> mapOf(Map.class, map);
      case List<?> list -> collectionOf(List.class, list);
      case SortedSet<?> set -> collectionOf(SortedSet.class, set);
      case Set<?> set -> collectionOf(Set.class, set);
      case Collection<?> any -> collectionOf(Collection.class, any);
      case Enum<?> constant -> types.constructType(constant.getDeclaringClass());
      default -> publicTypes.of(value);
    };
  }

  private JavaType mapOf(Class<?> kind, Map<?, ?> map) {
    return types.constructMapLikeType(kind, common(map.keySet()), common(map.values()));
  }

  private JavaType collectionOf(Class<?> kind, Collection<?> values) {
    return types.constructCollectionLikeType(kind, common(values));
  }

  private JavaType common(Collection<?> values) {
    JavaType common = null;
    for (Object value : values) {
      if (value == null) continue;
      JavaType type = of(value);
      if (common == null || common.equals(type) || isEmptyVersionOf(common, type)) common = type;
      else if (!isEmptyVersionOf(type, common)) common = shared(common, type);
    }
    return common == null ? TypeFactory.unknownType() : common;
  }

  private JavaType shared(JavaType one, JavaType other) {
    return publicTypes
        .shared(one, other)
        .orElseThrow(
            () ->
                new PayloadConversionException(
                    "it holds values of different types, %s and %s: name its type with a TypeRef"
                        .formatted(one.toCanonical(), other.toCanonical())));
  }

  /** An empty list fits any list, and an empty optional any optional. */
  private static boolean isEmptyVersionOf(JavaType empty, JavaType full) {
    return empty.getRawClass() == full.getRawClass()
        && empty.getContentType() != null
        && empty.getContentType().isJavaLangObject();
  }

  /** The type behind a recorded name. */
  JavaType named(String name) {
    JavaType known = byName.get(name);
    if (known != null) return known;
    JavaType type = withReferences(types.constructFromCanonical(name));
    // Names come from histories: names that no code uses any more must not fill the memory.
    if (byName.size() < CACHE_MAX) byName.put(name, type);
    return type;
  }

  /**
   * The parser knows nothing of optionals, so what is in them would be read as a map. A set keeps
   * the order in which it was written, also when the mapper would read sets in another way.
   */
  private JavaType withReferences(JavaType type) {
    if (type.getRawClass() == Optional.class)
      return types.constructReferenceType(
          Optional.class, withReferences(type.containedTypeOrUnknown(0)));
    if (type.isMapLikeType())
      return types.constructMapLikeType(
          type.getRawClass(),
          withReferences(type.getKeyType()),
          withReferences(type.getContentType()));
    return type.isCollectionLikeType()
        ? types.constructCollectionLikeType(
            type.getRawClass() == Set.class ? LinkedHashSet.class : type.getRawClass(),
            withReferences(type.getContentType()))
        : type;
  }
}
