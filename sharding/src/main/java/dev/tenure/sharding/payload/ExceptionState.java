package dev.tenure.sharding.payload;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;

/**
 * The state of an exception beside its message: the fields of its class and of its superclasses, up
 * to {@code Throwable}. Where fields cannot be read, as in the JDK, the values of its public
 * getters.
 */
final class ExceptionState {
  private ExceptionState() {}

  static boolean isSame(Throwable one, Throwable other) {
    for (Class<?> at = one.getClass(); isOwn(at); at = at.getSuperclass())
      if (!isSame(at, one, other)) return false;
    return true;
  }

  private static boolean isOwn(Class<?> type) {
    return type != Throwable.class && type != Exception.class && type != RuntimeException.class;
  }

  private static boolean isSame(Class<?> type, Throwable one, Throwable other) {
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) continue;
      if (!field.trySetAccessible()) return saysTheSame(type, one, other);
      try {
        if (!Objects.deepEquals(field.get(one), field.get(other))) return false;
      } catch (IllegalAccessException e) {
        return false; // a field that cannot be read may differ
      }
    }
    return true;
  }

  private static boolean saysTheSame(Class<?> type, Throwable one, Throwable other) {
    for (Method method : type.getDeclaredMethods()) {
      if (!isGetter(method)) continue;
      try {
        if (!Objects.deepEquals(method.invoke(one), method.invoke(other))) return false;
      } catch (ReflectiveOperationException e) {
        return false; // a getter that cannot be called may differ
      }
    }
    return true;
  }

  private static boolean isGetter(Method method) {
    String name = method.getName();
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && method.getParameterCount() == 0
        && (name.startsWith("get") || name.startsWith("is"))
        && !name.equals("getMessage")
        && !name.equals("getCause");
  }
}
