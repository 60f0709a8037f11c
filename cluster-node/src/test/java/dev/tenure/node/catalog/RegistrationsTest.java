package dev.tenure.node.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tenure.node.lifetime.StartFailure;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowModule;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node takes in to run, and what it refuses. */
class RegistrationsTest {
  private static final ActivityDefinition<String, String> SHOUT =
      ActivityDefinition.of("shout", String.class, String.class);

  @Workflow(name = "hello")
  public static class Hello {
    public String run(WorkflowContext ctx, String name) {
      return "Hello " + name;
    }
  }

  @Workflow(name = "hello", version = 2)
  public static class HelloAgain {
    public String run(WorkflowContext ctx, String name) {
      return "Hello again " + name;
    }
  }

  @Workflow(name = "hello")
  public static class Impostor {
    public String run(WorkflowContext ctx, String name) {
      return "Bye " + name;
    }
  }

  @Workflow(name = "needy")
  public static class Needy {
    public Needy(String need) {}

    public void run(WorkflowContext ctx) {}
  }

  /** As a JAR would bring it. */
  public static class Greetings implements WorkflowModule {
    @Override
    public void register(Registry registry) {
      registry.workflow(Hello.class).activity(SHOUT, (call, text) -> text + "!");
    }
  }

  @Test
  void severalVersionsOfAWorkflowStandSideBySideAndTheNewestIsKnown() {
    Catalog catalog =
        new Registrations().workflow(HelloAgain.class).workflow(Hello.class).catalog();
    assertThat(catalog.workflows()).hasSize(2);
    assertThat(catalog.newest("hello").orElseThrow().type().version()).isEqualTo(2);
    assertThat(catalog.newest("goodbye")).isEmpty();
  }

  @Test
  void twoClassesCannotBeTheSameVersionOfAWorkflow() {
    Registrations registrations = new Registrations().workflow(Hello.class);
    assertThatExceptionOfType(AlreadyRegisteredError.class)
        .isThrownBy(() -> registrations.workflow(Impostor.class))
        .withMessageContaining("hello v1")
        .withMessageContaining(Hello.class.getName())
        .withMessageContaining(Impostor.class.getName());
  }

  @Test
  void anActivityHasOnePieceOfCode() {
    Registrations registrations = new Registrations();
    registrations.activity(SHOUT, (call, text) -> text + "!");
    assertThatExceptionOfType(AlreadyRegisteredError.class)
        .isThrownBy(() -> registrations.activity(SHOUT, (call, text) -> text + "?"))
        .withMessageContaining("shout");
  }

  @Test
  void aClassThatNeedsSomethingNeedsAFactory() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Registrations().workflow(Needy.class))
        .withMessageContaining(Needy.class.getName())
        .withMessageContaining("factory");
    Catalog catalog = new Registrations().workflow(Needy.class, () -> new Needy("this")).catalog();
    assertThat(catalog.newest("needy")).isPresent();
  }

  @Test
  void modulesAreFoundOnTheClassPath(@TempDir Path jar) throws IOException {
    try (URLClassLoader loader = naming(jar, Greetings.class.getName())) {
      Catalog catalog = new Registrations().modulesOf(loader).catalog();
      assertThat(catalog.newest("hello")).isPresent();
      assertThat(catalog.activities())
          .singleElement()
          .satisfies(activity -> assertThat(activity.definition()).isEqualTo(SHOUT));
    }
  }

  @Test
  void aModuleThatIsNamedAndDoesNotExistEndsTheStart(@TempDir Path jar) throws IOException {
    try (URLClassLoader loader = naming(jar, "com.example.Missing")) {
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(() -> new Registrations().modulesOf(loader))
          .withMessageContaining("com.example.Missing");
    }
  }

  private URLClassLoader naming(Path jar, String module) throws IOException {
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.writeString(services.resolve(WorkflowModule.class.getName()), module);
    URL[] place = {jar.toUri().toURL()};
    return new URLClassLoader(place, getClass().getClassLoader());
  }
}
