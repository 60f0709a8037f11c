package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is said of a signal, a query, an update or a child once, and checked by the compiler. */
class DefinitionsTest {
  /** Written with its class in it, but only where its declared type is known. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  public sealed interface Shape {
    int area();
  }

  public record Square(int side) implements Shape {
    @Override
    public int area() {
      return side * side;
    }
  }

  public record Strip(int length) implements Shape {
    @Override
    public int area() {
      return length;
    }
  }

  static final SignalDefinition<List<Shape>> SHAPES =
      SignalDefinition.of("shapes", new TypeRef<>() {});
  static final SignalDefinition<String> STOP = SignalDefinition.of("stop", String.class);
  static final QueryDefinition<Void, List<Shape>> ALL =
      QueryDefinition.of("all", new TypeRef<>() {});
  static final QueryDefinition<Integer, Shape> ONE =
      QueryDefinition.of("one", Integer.class, Shape.class);
  static final UpdateDefinition<Shape, Shape> REPLACE =
      UpdateDefinition.of("replace", Shape.class, Shape.class);

  @Workflow(name = "drawing")
  public static class Drawing {
    private List<Shape> shapes;

    public int run(WorkflowContext ctx, List<Shape> before) {
      shapes = new ArrayList<>(before);
      ctx.onQuery(ALL, () -> shapes);
      ctx.onQuery(ONE, at -> shapes.get(at));
      ctx.onUpdate(
          REPLACE,
          shape -> {
            if (shape.area() == 0) throw new UpdateRejectedException("It cannot be seen.");
          },
          shape -> shapes.set(0, shape));
      if (shapes.isEmpty()) return ctx.continueAsNew(Drawing::run, ctx.awaitSignal(SHAPES));
      ctx.awaitSignal(STOP);
      return shapes.stream().mapToInt(Shape::area).sum();
    }
  }

  @Workflow(name = "gallery")
  public static class Gallery {
    public int run(WorkflowContext ctx, List<Shape> shapes) {
      ChildHandle<Integer> drawn = ctx.childAsync(Drawing::run, "drawn", shapes);
      drawn.awaitStarted();
      drawn.signal(STOP, "enough");
      ctx.childAsync(Drawing::run, "told", List.<Shape>of());
      ctx.signalWorkflow(WorkflowId.of("told"), SHAPES, shapes);
      ctx.signalWorkflow(WorkflowId.of("told"), STOP, "enough");
      ctx.child(Silent::run, "silent");
      int squared = ctx.child(Doubled::run, "doubled", drawn.get());
      return squared + ctx.info().id().value().length();
    }
  }

  @Workflow(name = "doubled")
  public static class Doubled {
    public int run(WorkflowContext ctx, int number) {
      return 2 * number;
    }
  }

  @Workflow(name = "silent")
  public static class Silent {
    static final AtomicInteger RUNS = new AtomicInteger();

    public void run(WorkflowContext ctx) {
      ctx.stepAsync("run", RUNS::incrementAndGet).get();
      ctx.stepAsync("nothing", () -> {}).get();
    }
  }

  @Workflow(name = "astray")
  public static class Astray {
    public int run(WorkflowContext ctx) {
      return ctx.continueAsNew(Doubled::run, 7);
    }
  }

  private static final List<Shape> SHAPES_OF_TWO_KINDS = List.of(new Square(3), new Strip(4));

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Drawing.class)
          .workflow(Gallery.class)
          .workflow(Doubled.class)
          .workflow(Silent.class)
          .workflow(Astray.class);

  @Test
  void whatADefinitionNamesIsWrittenAsItSays(TestEngine engine) {
    WorkflowHandle<Integer> drawing =
        engine.workflows().start(Drawing::run, "drawing", List.<Shape>of());
    String first = drawing.describe().runId();
    drawing.signal(SHAPES, SHAPES_OF_TWO_KINDS, "once");
    drawing.signal(SHAPES, SHAPES_OF_TWO_KINDS, "once");

    assertThat(drawing.describe().runId()).isNotEqualTo(first);
    assertThat(drawing.query(ALL)).isEqualTo(SHAPES_OF_TWO_KINDS);
    assertThat(drawing.query(ONE, 1)).isEqualTo(new Strip(4));
    assertThat(drawing.update(REPLACE, new Strip(9))).isEqualTo(new Square(3));
    assertThat(drawing.update("u-1", REPLACE, new Strip(1))).isEqualTo(new Strip(9));
    assertThat(drawing.update("u-1", REPLACE, new Strip(1))).isEqualTo(new Strip(9));
    assertThatThrownBy(() -> drawing.update(REPLACE, new Strip(0)))
        .isInstanceOf(UpdateRejectedException.class);
    drawing.signal(STOP, "enough");
    assertThat(drawing.result()).isEqualTo(5);
  }

  @Test
  void aChildIsNamedByItsMethod(TestEngine engine) {
    int before = Silent.RUNS.get();
    assertThat(engine.workflows().start(Gallery::run, "gallery", SHAPES_OF_TWO_KINDS).result())
        .isEqualTo(2 * 13 + "gallery".length());
    assertThat(engine.workflows().handle("told", Integer.class).result()).isEqualTo(13);
    assertThat(Silent.RUNS).hasValue(before + 1);
  }

  @Test
  void aRunContinuesAsNoOtherWorkflow(TestEngine engine) {
    WorkflowHandle<Integer> astray = engine.workflows().start(Astray::run, "astray");
    assertThat(astray.describe().incident().orElseThrow().message())
        .contains("is the workflow \"doubled\", and this one is \"astray\"");
  }
}
