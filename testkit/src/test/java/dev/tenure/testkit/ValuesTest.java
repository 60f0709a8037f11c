package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of values that cannot be written, or not be read, or not as they were. */
class ValuesTest {
  private static volatile boolean readable;
  private static volatile BiFunction<WorkflowContext, Object, Object> code;
  private static final AtomicInteger RUNS = new AtomicInteger();

  /** Another deployment can no longer read it. */
  public static final class Receipt {
    public final String number;

    private Receipt(String number) {
      this.number = number;
    }

    @JsonCreator
    public static Receipt of(@JsonProperty("number") String n) {
      if (!readable) throw new IllegalArgumentException("no receipts any more");
      return new Receipt(n);
    }
  }

  /** It is written, and there is no way to read it. */
  public static final class Around {
    public final class OneWay {
      public final String text = "x";
    }

    static OneWay make() {
      RUNS.incrementAndGet();
      return new Around().new OneWay();
    }
  }

  /** It loses what nobody writes. */
  public record Card(String owner, @JsonIgnore String number) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  public interface Shape {}

  public record Circle(int radius) implements Shape {}

  public record Square(int side) implements Shape {}

  enum Channel {
    SMS,
    MAIL
  }

  @Workflow(name = "any")
  public static class AnyCode {
    public String run(WorkflowContext ctx) {
      Object result = code.apply(ctx, null);
      return String.valueOf(result);
    }
  }

  @Workflow(name = "counts")
  public static class Counts {
    public int run(WorkflowContext ctx, int number) {
      return number + 1;
    }
  }

  @Workflow(name = "shapes")
  public static class Shapes {
    public String run(WorkflowContext ctx, List<? extends Shape> shapes) {
      return shapes.size() < 2
          ? ctx.continueAsNew(List.of(new Circle(1), new Square(2)))
          : shapes.toString();
    }
  }

  @Workflow(name = "grows")
  public static class Grows {
    public String run(WorkflowContext ctx, int radius) {
      return ctx.continueAsNew(new Circle(radius));
    }
  }

  @Workflow(name = "grows", version = 2)
  public static class Grown {
    public String run(WorkflowContext ctx, Circle circle) {
      return circle.toString();
    }
  }

  @Workflow(name = "shared")
  public static class Shared {
    public String run(WorkflowContext ctx) {
      return "done";
    }
  }

  private static final Shared ONE = new Shared();

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(AnyCode.class)
          .workflow(Counts.class)
          .workflow(Shapes.class)
          .workflow(Grows.class)
          .workflow(Grown.class)
          .workflow(Shared.class, () -> ONE);

  @BeforeEach
  void begin() {
    readable = true;
    RUNS.set(0);
  }

  private WorkflowHandle<String> start(BiFunction<WorkflowContext, Object, Object> what) {
    code = what;
    return tenure.engine().workflows().start(AnyCode::run, "one");
  }

  private String incident(WorkflowHandle<?> workflow) {
    assertThat(workflow.describe().status()).isEqualTo(Status.INCIDENT);
    return workflow.describe().incident().orElseThrow().message();
  }

  @Test
  void aRecordedValueThatCannotBeReadIsAnIncidentAndNotTheCodesBusiness() {
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              String number;
              try {
                number = ctx.step("pay", () -> new Receipt("r-" + RUNS.incrementAndGet())).number;
              } catch (RuntimeException e) {
                number = "caught " + e;
              }
              ctx.awaitSignal("go", String.class);
              return number;
            });
    readable = false;
    tenure.engine().pass(Duration.ofMinutes(1));
    run.signal("go", "now");
    tenure.engine().pass(Duration.ofMinutes(1));
    assertThat(incident(run))
        .startsWith("unreadable-value: ")
        .contains("pay#1")
        .contains(Receipt.class.getName())
        .contains("no receipts any more");

    readable = true;
    run.resolveIncident("deployed");
    assertThat(run.result()).isEqualTo("r-1");
    assertThat(RUNS).hasValue(1);
  }

  @Test
  void anInputOrASignalThatCannotBeReadIsAnIncidentToo() {
    var workflows = tenure.engine().workflows();
    var wrong = workflows.request("counts", "wrong", "many");
    assertThat(incident(workflows.start(wrong, Integer.class)))
        .startsWith("unreadable-value: The workflow's input cannot be read as int");

    WorkflowHandle<String> run =
        start((ctx, nothing) -> ctx.awaitSignal("card", Card.class).owner());
    run.signal("card", List.of(1, 2));
    assertThat(incident(run))
        .startsWith("unreadable-value: The payload of signal card")
        .contains(Card.class.getName());
  }

  @Test
  void aResultThatCannotBeReadBackIsFoundBeforeItIsRecorded() {
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              try {
                return ctx.step("one way", Around::make).text;
              } catch (RuntimeException e) {
                return "caught";
              }
            });
    assertThat(incident(run))
        .contains("one way#1")
        .contains("OneWay")
        .contains("could be written, but not be read back")
        .contains("TypeRef");
    tenure.engine().pass(Duration.ofDays(1));
    assertThat(RUNS).hasValue(1);
  }

  @Test
  void elementsThatHaveNoTypeInCommonAreFoundOnceToo() {
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              RUNS.incrementAndGet();
              return ctx.step("mixed", () -> List.of("a", Channel.SMS)).size();
            });
    assertThat(incident(run)).contains("mixed#1").contains("TypeRef");
  }

  @Test
  void valuesWhoseClassIsNotPublicComeBackAsWhatTheyAre() {
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              ZoneId zone = ctx.step("zone", () -> ZoneId.of("Europe/Berlin"));
              Path path = ctx.step("path", () -> Path.of("/tmp/x"));
              InetAddress address = ctx.step("address", () -> InetAddress.ofLiteral("10.0.0.1"));
              List<? extends Shape> shapes =
                  ctx.step("shapes", () -> List.of(new Circle(1), new Square(2), new Circle(3)));
              List<ZoneId> zones = ctx.step("zones", () -> List.of(ZoneId.of("Asia/Tokyo")));
              return zone + " " + path + " " + address.getHostAddress() + " " + shapes + zones;
            });
    tenure.engine().crashAfterEveryCommit();
    assertThat(run.result())
        .isEqualTo(
            "Europe/Berlin /tmp/x 10.0.0.1 [Circle[radius=1], Square[side=2],"
                + " Circle[radius=3]][Asia/Tokyo]");
  }

  @Test
  void aSetKeepsItsOrder() {
    String order = "the quick brown fox jumps over a lazy dog";
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              Set<String> words =
                  ctx.step("words", () -> new LinkedHashSet<>(List.of(order.split(" "))));
              Set<Channel> channels = ctx.step("channels", () -> EnumSet.allOf(Channel.class));
              return String.join(" ", words) + channels;
            });
    assertThat(run.result()).isEqualTo(order + "[SMS, MAIL]");
  }

  @Test
  void aValueThatDoesNotComeBackEqualIsAWarning() {
    start(
            (ctx, nothing) -> {
              ctx.step("even", () -> new Circle(1));
              ctx.step("card", () -> new Card("Ann", "4711"));
              return ctx.step(
                      "sorted",
                      () -> {
                        TreeSet<String> down = new TreeSet<>(Collections.reverseOrder());
                        down.addAll(List.of("a", "b"));
                        return down;
                      })
                  .size();
            })
        .result();
    assertThat(tenure.engine().warnings().stream().distinct())
        .hasSize(2)
        .anyMatch(
            line ->
                line.startsWith("The result of step card#1 does not come back as it was written")
                    && line.contains("it.number was 4711"))
        .anyMatch(line -> line.contains("sorted#1") && line.contains("it[0] was b"));
  }

  @Test
  void aNumberThatNobodyGaveIsZero() {
    var workflows = tenure.engine().workflows();
    var request = workflows.request("counts", "c", null);
    assertThat(workflows.start(request, Integer.class).result()).isEqualTo(1);
  }

  @Test
  void whatIsLeftOfATimeLimitMayBeNothingOrLess() {
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              ctx.sleep(Duration.ofSeconds(-1));
              ctx.timer("over", Duration.ofSeconds(-5)).get();
              boolean held = ctx.await(Duration.ofSeconds(-5), () -> false);
              return ctx.awaitSignal("go", String.class, Duration.ZERO)
                  + " "
                  + ctx.awaitSignal("go", String.class, Duration.ofSeconds(-1))
                  + held;
            });
    assertThat(run.result()).isEqualTo("Optional.empty Optional.emptyfalse");
  }

  @Test
  void aSignalThatIsThereIsTakenWithoutTime() {
    WorkflowHandle<String> run =
        start(
            (ctx, nothing) -> {
              ctx.awaitSignal("begin", String.class);
              return ctx.awaitSignal("go", String.class, Duration.ZERO);
            });
    run.signal("go", "now");
    run.signal("begin", "yes");
    assertThat(run.result()).isEqualTo("Optional[now]");
  }

  @Test
  void theNextRunGetsItsInputAsItsMethodDeclaresIt() {
    var workflows = tenure.engine().workflows();
    WorkflowHandle<String> shapes = workflows.start(Shapes::run, "s", List.of(new Circle(1)));
    assertThat(shapes.result()).isEqualTo("[Circle[radius=1], Square[side=2]]");
  }

  @Test
  void aNewerVersionMayTakeWhatAPrimitiveCannotBe() {
    var workflows = tenure.engine().workflows();
    assertThat(workflows.start(Grows::run, "g", 3).result()).isEqualTo("Circle[radius=3]");
  }

  @Test
  void oneObjectForTwoRunsIsRefused() {
    var workflows = tenure.engine().workflows();
    assertThat(workflows.start(Shared::run, "first").result()).isEqualTo("done");
    assertThat(incident(workflows.start(Shared::run, "second")))
        .contains("the same object twice")
        .contains("prototype");
  }
}
