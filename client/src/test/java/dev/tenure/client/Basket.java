package dev.tenure.client;

import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects what is signalled to it, until it is told that that was all. */
@Workflow(name = "basket")
public class Basket {
  static final WorkflowType<Customer, Filled> TYPE =
      WorkflowType.of(Basket.class, Customer.class, Filled.class);

  public record Customer(String name, Instant since, Optional<String> note) {
    static Customer ada() {
      return new Customer("Ada", Instant.parse("2026-01-02T03:04:05.678Z"), Optional.empty());
    }
  }

  public record Item(String sku, int count) {
    static final Item DONE = new Item("done", 0);
  }

  public record Filled(Customer customer, List<Item> items, int limits) {}

  public Filled run(WorkflowContext ctx, Customer customer) {
    List<Item> items = new ArrayList<>();
    int[] limits = {0};
    ctx.onQuery("items", () -> List.copyOf(items));
    ctx.onQuery("count", () -> items.size());
    ctx.onUpdate(
        "limit",
        TypeRef.of(Integer.class),
        wanted -> {
          if (wanted < 1) throw new UpdateRejectedException("a basket holds something");
        },
        wanted -> ++limits[0]);
    while (true) {
      Item item = ctx.awaitSignal("item", Item.class);
      if (item.equals(Item.DONE)) return new Filled(customer, items, limits[0]);
      items.add(item);
    }
  }

  /** Ends at once with what it was given. */
  @Workflow(name = "echo")
  public static class Echo {
    static final WorkflowType<String, String> TYPE =
        WorkflowType.of("echo", String.class, String.class);

    public String run(WorkflowContext ctx, String input) {
      return input;
    }
  }

  /** Fails, with a code. */
  @Workflow(name = "failing")
  public static class Failing {
    static final WorkflowType<Void, Void> TYPE = WorkflowType.of("failing", Void.class, Void.class);

    public String run(WorkflowContext ctx) {
      throw WorkflowFailure.permanent("no-stock", "nothing left");
    }
  }
}
