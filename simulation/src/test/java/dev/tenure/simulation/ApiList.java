package dev.tenure.simulation;

import dev.tenure.sharding.workflow.ForkRequest;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.WorkflowContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The public methods that workflow code and clients have, as they are compiled. */
final class ApiList {
  private static final List<Class<?>> CLIENT =
      List.of(Workflows.class, StartRequest.class, ForkRequest.class);

  private ApiList() {}

  /** Every method that workflow code or a client may call, but the exceptions. */
  static Set<String> toBeCalled() {
    Set<String> called = all();
    called.removeAll(NotCalled.METHODS.keySet());
    return called;
  }

  static Set<String> excepted() {
    return new TreeSet<>(NotCalled.METHODS.keySet());
  }

  static Set<String> all() {
    Set<String> all = new TreeSet<>();
    for (Class<?> type : types())
      if (!NotCalled.TYPES.containsKey(name(type)) && !Throwable.class.isAssignableFrom(type))
        all.addAll(methods(type));
    return all;
  }

  /** The exceptions of types that are not there. */
  static Set<String> lostTypes() {
    Set<String> lost = new TreeSet<>(NotCalled.TYPES.keySet());
    types().forEach(type -> lost.remove(name(type)));
    return lost;
  }

  /** The types of the package that workflow code is written against, and those of a client. */
  static List<Class<?>> types() {
    try {
      Path root =
          Path.of(
              WorkflowContext.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(root)) return types(root);
      try (FileSystem jar = FileSystems.newFileSystem(root)) {
        return types(jar.getPath("/"));
      }
    } catch (URISyntaxException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Class<?>> types(Path root) {
    try (Stream<Path> files = Files.list(root.resolve("dev/tenure/workflow"))) {
      return Stream.concat(
              CLIENT.stream(),
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                  .sorted()
                  .map(name -> type(name.substring(0, name.length() - 6))))
          .filter(type -> Modifier.isPublic(type.getModifiers()) && !type.isEnum())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName("dev.tenure.workflow." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  static String name(Class<?> type) {
    return type.getName().substring(type.getName().lastIndexOf('.') + 1);
  }

  /** All but what a record or an object has by itself. */
  static Set<String> methods(Class<?> type) {
    Set<String> own =
        type.isRecord()
            ? Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet())
            : Set.of();
    Set<String> methods = new TreeSet<>();
    for (Method method : type.getDeclaredMethods()) {
      if (!Modifier.isPublic(method.getModifiers()) || method.isSynthetic()) continue;
      boolean plain = method.getParameterCount() == 0 && own.contains(method.getName());
      if (!plain && !Set.of("equals", "hashCode", "toString").contains(method.getName()))
        methods.add(text(method));
    }
    return methods;
  }

  private static String text(Method method) {
    return name(method.getDeclaringClass())
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  /**
   * The method that was called, as the list above names it.
   *
   * @param call type, name and descriptor
   */
  static String called(String call) {
    String owner = call.substring(0, call.indexOf('#'));
    String name = call.substring(call.indexOf('#') + 1, call.indexOf('('));
    String descriptor = call.substring(call.indexOf('('));
    try {
      for (Method method : Class.forName(owner).getMethods())
        if (method.getName().equals(name) && descriptor(method).equals(descriptor))
          return text(method);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    return call;
  }

  private static String descriptor(Method method) {
    return java.lang.invoke.MethodType.methodType(
            method.getReturnType(), method.getParameterTypes())
        .descriptorString();
  }
}
