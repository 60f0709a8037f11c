package dev.tenure.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkflowRegistrationTest {

  @Workflow(name = "good", version = 2)
  static class Good {
    private final String greeting;

    Good(String greeting) {
      this.greeting = greeting;
    }

    public List<String> run(WorkflowContext context, String name) {
      return List.of(greeting + name);
    }
  }

  @Workflow(name = "throws")
  public static class Throwing {
    public void run(WorkflowContext context) throws IOException {
      throw new IOException("original");
    }
  }

  static class Unmarked {
    public void run(WorkflowContext context) {}
  }

  @Workflow(name = "none")
  static class WithoutRun {}

  @Workflow(name = "two")
  static class WithTwo {
    public void run(WorkflowContext context) {}

    public void run(WorkflowContext context, String input) {}
  }

  @Workflow(name = "wrong")
  static class WithWrongParameters {
    public void run(String input) {}
  }

  @Test
  void aWorkflowIsAClassWithARunMethodFromAnyFactory() throws Throwable {
    WorkflowRegistration<Good> good = WorkflowRegistration.of(Good.class, () -> new Good("Hello "));
    assertThat(good.type()).isEqualTo(new WorkflowType("good", 2));
    assertThat(good.input()).contains(String.class);
    assertThat(good.output().getTypeName()).isEqualTo("java.util.List<java.lang.String>");
    assertThat(good.run(null, "world")).isEqualTo(List.of("Hello world"));
  }

  @Test
  void whatTheCodeThrowsIsWhatComesOut() {
    WorkflowRegistration<Throwing> throwing =
        WorkflowRegistration.of(Throwing.class, Throwing::new);
    assertThat(throwing.input()).isEmpty();
    assertThatThrownBy(() -> throwing.run(null, null))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("original");
  }

  @Test
  void aClassThatIsNoWorkflowSaysWhatItLacks() {
    assertThatThrownBy(() -> WorkflowRegistration.of(Unmarked.class, Unmarked::new))
        .hasMessageContaining("@Workflow");
    assertThatThrownBy(() -> WorkflowRegistration.of(WithoutRun.class, WithoutRun::new))
        .hasMessageContaining("it has 0");
    assertThatThrownBy(() -> WorkflowRegistration.of(WithTwo.class, WithTwo::new))
        .hasMessageContaining("it has 2");
    assertThatThrownBy(
            () -> WorkflowRegistration.of(WithWrongParameters.class, WithWrongParameters::new))
        .hasMessageContaining("run(WorkflowContext)");
  }

  @Test
  void aChildIsNamedByItsClassOrItsName() {
    ChildCall<String> call =
        ChildCall.to(Good.class, String.class).id("c").input("x").version(2).attribute("a", 1);
    assertThat(call.type()).isEqualTo("good");
    assertThat(call.attributes()).containsEntry("a", new Attribute.OfLong(1));
    assertThatThrownBy(() -> ChildCall.to(Unmarked.class, String.class))
        .hasMessageContaining("is no workflow");
    assertThatThrownBy(() -> call.version(0)).hasMessageContaining("count from 1");
    assertThatThrownBy(() -> call.version(-1)).hasMessageContaining("count from 1");
  }

  @Workflow(name = "zeroth", version = 0)
  static class Zeroth {
    public void run(WorkflowContext context) {}
  }

  @Test
  void aVersionCountsFromOne() {
    assertThatThrownBy(() -> WorkflowRegistration.of(Zeroth.class, Zeroth::new))
        .hasMessageContaining("count from 1");
    assertThatThrownBy(() -> new WorkflowType("t", -1)).hasMessageContaining("count from 1");
  }
}
