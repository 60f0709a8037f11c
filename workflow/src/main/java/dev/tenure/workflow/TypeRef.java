package dev.tenure.workflow;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its arguments, which a {@code Class} forgets: {@code new TypeRef<List<Order>>() {}}.
 */
public abstract class TypeRef<T> {
  private final Type type;

  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized))
      throw new IllegalArgumentException("Name the type: new TypeRef<List<String>>() {}.");
    this.type = parameterized.getActualTypeArguments()[0];
  }

  private TypeRef(Type type) {
    this.type = type;
  }

  public static <T> TypeRef<T> of(Class<T> type) {
    return new TypeRef<>(type) {};
  }

  /** For types that are known by reflection only. */
  public static TypeRef<Object> ofType(Type type) {
    return new TypeRef<>(type) {};
  }

  public Type type() {
    return type;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TypeRef<?> that && type.equals(that.type);
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public String toString() {
    return type.getTypeName();
  }
}
