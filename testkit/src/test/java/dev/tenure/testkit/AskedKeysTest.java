package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A key that is asked for before its step must not become the key of several items. */
class AskedKeysTest {
  private static volatile Function<WorkflowContext, List<String>> code;

  @Workflow(name = "charging")
  public static class Charging {
    public List<String> run(WorkflowContext ctx) {
      return code.apply(ctx);
    }
  }

  @RegisterExtension final TenureExtension tenure = TenureExtension.with(Charging.class);

  private WorkflowHandle<List<String>> start(Function<WorkflowContext, List<String>> what) {
    code = what;
    return tenure.engine().workflows().start(Charging::run, "one");
  }

  private void isRefused(Function<WorkflowContext, List<String>> what) {
    WorkflowHandle<List<String>> run = start(what);
    assertThat(run.describe().status()).isEqualTo(Status.INCIDENT);
    assertThat(run.describe().incident().orElseThrow().message())
        .startsWith("bug: ")
        .contains("charge#1 was asked for twice")
        .contains("idempotencyKey(name, key)");
  }

  @Test
  void oneKeyForAllKeyedStepsOfALoopIsRefused() {
    isRefused(
        ctx -> {
          List<String> keys = new ArrayList<>();
          for (String item : List.of("a", "b")) {
            String key = ctx.idempotencyKey("charge");
            keys.add(ctx.step("charge", StepOptions.key(item), () -> key));
          }
          return keys;
        });
  }

  @Test
  void soIsOneKeyForStepsInBranchesOrScopes() {
    isRefused(
        ctx -> {
          List<String> keys = new ArrayList<>();
          for (String item : List.of("a", "b")) {
            String key = ctx.idempotencyKey("charge");
            keys.add(ctx.async("pay", item, () -> ctx.step("charge", () -> key)).get());
          }
          return keys;
        });
  }

  @Test
  void eachHasItsOwnWhenItIsAskedForAsTheStepIs() {
    List<String> keys =
        start(
                ctx -> {
                  List<String> all = new ArrayList<>();
                  // Twice in a row is the same key, of the same step.
                  assertThat(ctx.idempotencyKey("charge")).isEqualTo(ctx.idempotencyKey("charge"));
                  for (String item : List.of("a", "b")) {
                    String key = ctx.idempotencyKey("charge", item);
                    all.add(ctx.step("charge", StepOptions.key(item), () -> key));
                    String plain = ctx.idempotencyKey("pay");
                    ctx.step("something else", () -> 1);
                    all.add(ctx.step("pay", () -> plain));
                  }
                  return all;
                })
            .result();
    assertThat(keys).hasSize(4).doesNotHaveDuplicates();
  }
}
