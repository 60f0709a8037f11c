package dev.tenure.testkit;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Repeats a test for each engine that {@link OnEngines} names. */
final class OnEachEngine implements TestTemplateInvocationContextProvider {
  private static final ExtensionContext.Namespace OURS =
      ExtensionContext.Namespace.create(OnEachEngine.class);
  private static final String KIND = "kind";

  /** The engine of this repetition, if the test is one that is repeated. */
  static Optional<Engine> chosen(ExtensionContext context) {
    return Optional.ofNullable(context.getStore(OURS).get(KIND, Engine.class));
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), OnEngines.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    OnEngines engines =
        AnnotationSupport.findAnnotation(context.getTestMethod(), OnEngines.class).orElseThrow();
    return Arrays.stream(engines.value()).map(On::new);
  }

  private record On(Engine kind) implements TestTemplateInvocationContext {
    @Override
    public String getDisplayName(int index) {
      return kind == Engine.IN_MEMORY ? "in memory" : "on a node";
    }

    @Override
    public void prepareInvocation(ExtensionContext context) {
      context.getStore(OURS).put(KIND, kind);
    }
  }
}
