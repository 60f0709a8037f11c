package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.tenure.client.Basket.Customer;
import dev.tenure.client.Basket.Filled;
import dev.tenure.client.Basket.Item;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What can be done with workflows from outside, on a real node. */
class ClientTest {
  private static RealNode node;
  private static TenureClient tenure;

  @BeforeAll
  static void start() {
    node = RealNode.open();
    tenure = TenureClient.to(node.uri()).build();
  }

  @AfterAll
  static void stop() {
    tenure.close();
    node.close();
  }

  @Test
  void whatGoesInComesOutWithItsTypes() {
    WorkflowHandle<Filled> basket = tenure.start(Basket.TYPE, "typed", Customer.ada());
    SignalReceipt receipt = basket.signal("item", new Item("book", 2));
    assertThat(receipt.workflowId()).isEqualTo("typed");
    RealNode.await("received", () -> basket.query("count", Integer.class) == 1);
    assertThat(basket.query("items", null, new TypeReference<List<Item>>() {}))
        .containsExactly(new Item("book", 2));
    assertThat(basket.update("limit", 3, Integer.class)).isEqualTo(1);
    assertThat(basket.update("my-update", "limit", 3, Integer.class)).isEqualTo(2);
    assertThat(basket.update("my-update", "limit", 3, Integer.class)).isEqualTo(2);
    basket.signal("item", Item.DONE, "the-end");
    assertThat(basket.result())
        .isEqualTo(new Filled(Customer.ada(), List.of(new Item("book", 2)), 2));
    assertThat(tenure.workflow("typed", Basket.TYPE).result()).isEqualTo(basket.result());
    assertThat(tenure.workflow("typed").result().at("/items/0/count").asInt()).isEqualTo(2);
  }

  @Test
  void whatIsDefinedOnceIsCheckedByTheCompiler() {
    SignalDefinition<Item> item = SignalDefinition.of("item", Item.class);
    QueryDefinition<Void, List<Item>> items =
        QueryDefinition.of("items", new TypeReference<List<Item>>() {});
    UpdateDefinition<Integer, Integer> limit =
        UpdateDefinition.of("limit", Integer.class, Integer.class);
    WorkflowHandle<Filled> basket =
        tenure
            .startOrSignal(
                Basket.TYPE.request(Customer.ada()).id("defined"), item, new Item("book", 2))
            .workflow();
    basket.signal(item, new Item("pen", 1), "pen");
    basket.signal(item, new Item("pen", 1), "pen");
    RealNode.await("received", () -> basket.query(items).size() == 2);
    assertThat(basket.query(items)).containsExactly(new Item("book", 2), new Item("pen", 1));
    assertThat(basket.update(limit, 3)).isEqualTo(1);
    assertThat(basket.update("again", limit, 3)).isEqualTo(2);
    assertThat(basket.update("again", limit, 3)).isEqualTo(2);
    basket.signal(item, Item.DONE);
    assertThat(basket.result().limits()).isEqualTo(2);
  }

  @Test
  void aStartWithoutAnIdGetsOneAndAKeyFindsItAgain() {
    StartRequest<String, String> request =
        Basket.Echo.TYPE.request("hello").idempotencyKey("key-1").attribute("channel", "web");
    WorkflowHandle<String> first = tenure.start(request);
    assertThat(tenure.start(request).id()).isEqualTo(first.id());
    assertThat(first.result()).isEqualTo("hello");
    assertThat(tenure.start(Basket.Echo.TYPE.request("hello")).id()).isNotEqualTo(first.id());
    assertThatExceptionOfType(TenureException.KeyReused.class)
        .isThrownBy(() -> tenure.start(Basket.Echo.TYPE.request("other").idempotencyKey("key-1")));
  }

  @Test
  void anIdThatIsTakenCanBeStartedAgainAndEachHandleHasItsOwnResult() {
    StartRequest<String, String> request = Basket.Echo.TYPE.request("first").id("again");
    WorkflowHandle<String> first = tenure.start(request);
    assertThat(first.result()).isEqualTo("first");
    StartRequest<String, String> next = Basket.Echo.TYPE.request("second").id("again");
    WorkflowHandle<String> second = tenure.start(next.ifTaken(StartPolicy.ALLOW_IF_CLOSED));
    assertThat(second.result()).isEqualTo("second");
    assertThat(first.result()).isEqualTo("first");
    WorkflowHandle<Filled> open =
        tenure.start(
            Basket.TYPE
                .request(Customer.ada())
                .id("again")
                .ifTaken(StartPolicy.TERMINATE_IF_RUNNING));
    tenure.start(next.ifTaken(StartPolicy.TERMINATE_IF_RUNNING));
    assertThatExceptionOfType(WorkflowFailedException.class).isThrownBy(open::result);
    assertThat(tenure.workflow("again", Basket.Echo.TYPE).result()).isEqualTo("second");
  }

  @Test
  void anIdThatIsTakenIsAnErrorThatNamesWhoHasIt() {
    tenure.start(Basket.TYPE, "taken", Customer.ada());
    String runId = tenure.workflow("taken").describe().runId();
    assertThatExceptionOfType(TenureException.AlreadyStarted.class)
        .isThrownBy(() -> tenure.start(Basket.TYPE, "taken", Customer.ada()))
        .satisfies(e -> assertThat(e.runId()).isEqualTo(runId))
        .satisfies(e -> assertThat(e.workflowId()).isEqualTo("taken"))
        .satisfies(e -> assertThat(e.code()).isEqualTo("WorkflowAlreadyExists"))
        .satisfies(e -> assertThat(e.mayHaveBeenDone()).isFalse());
  }

  @Test
  void aWorkflowIsStartedWhereThereIsNoneToSignal() {
    StartRequest<Customer, Filled> request = Basket.TYPE.request(Customer.ada()).id("both");
    SignalledStart<Filled> first = tenure.startOrSignal(request, "item", new Item("a", 1));
    SignalledStart<Filled> second = tenure.startOrSignal(request, "item", Item.DONE, "end");
    assertThat(first.started()).isTrue();
    assertThat(second.started()).isFalse();
    assertThat(second.workflow().result().items()).containsExactly(new Item("a", 1));
    assertThat(tenure.startOrSignal(request, "item", Item.DONE, "end").receipt())
        .isEqualTo(second.receipt());
  }

  @Test
  void whatHasNoResultSaysWhy() {
    WorkflowHandle<Void> failing = tenure.start(Basket.Failing.TYPE, "fails", null);
    assertThatExceptionOfType(WorkflowFailedException.class)
        .isThrownBy(failing::result)
        .withMessageContaining("nothing left")
        .satisfies(e -> assertThat(e.status()).isEqualTo(WorkflowStatus.FAILED))
        .satisfies(e -> assertThat(e.code()).contains("no-stock"));
    WorkflowHandle<Filled> open = tenure.start(Basket.TYPE, "open", Customer.ada());
    assertThatExceptionOfType(TenureException.StillRunning.class)
        .isThrownBy(() -> open.result(Duration.ofMillis(10)));
    assertThat(open.outcome(Duration.ZERO)).isEmpty();
  }

  @Test
  void operatorsHoldResumeAndEndWorkflows() {
    WorkflowHandle<Filled> held = tenure.start(Basket.TYPE, "held", Customer.ada());
    assertThat(held.pause("look")).isTrue();
    assertThat(held.pause("look")).isFalse();
    assertThat(held.describe().status()).isEqualTo(WorkflowStatus.PAUSED);
    assertThat(held.describe().pauseReason()).contains("look");
    assertThat(held.resume()).isTrue();
    assertThat(held.terminate("enough")).isTrue();
    assertThatExceptionOfType(TenureException.Closed.class)
        .isThrownBy(() -> held.cancel("late"))
        .satisfies(e -> assertThat(e.status()).isEqualTo(WorkflowStatus.TERMINATED));
    assertThatExceptionOfType(WorkflowFailedException.class)
        .isThrownBy(held::result)
        .withMessageContaining("enough");
  }

  @Test
  void theCodesOwnRefusalsAreToldApart() {
    WorkflowHandle<Filled> basket = tenure.start(Basket.TYPE, "asked", Customer.ada());
    assertThatExceptionOfType(TenureException.CodeRefused.class)
        .isThrownBy(() -> basket.update("limit", 0, Integer.class))
        .satisfies(e -> assertThat(e.failure().orElseThrow().message()).contains("something"));
    assertThatExceptionOfType(TenureException.NotFound.class)
        .isThrownBy(() -> basket.query("nothing", String.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo("QueryNotFound"));
    assertThatExceptionOfType(TenureException.NotFound.class)
        .isThrownBy(() -> tenure.workflow("nobody").describe())
        .withMessageContaining("nobody");
    assertThatExceptionOfType(TenureException.InvalidRequest.class)
        .isThrownBy(() -> tenure.workflow("x".repeat(5_000)).describe());
  }

  @Test
  void strangeIdsArriveAsTheyAre() {
    for (String id : List.of("a/b", "..", ".", "a b+c%2Fd?e#f", "ä€😀", "a.b")) {
      assertThat(tenure.start(Basket.Echo.TYPE, id, id).result()).isEqualTo(id);
      assertThat(tenure.workflow(id).describe().workflowId()).isEqualTo(id);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> tenure.workflow("").describe());
  }

  @Test
  void aListIsReadAsFarAsTheStreamIs() {
    int many = 203;
    for (int i = 0; i < many; i++) {
      tenure.start(Basket.Echo.TYPE.request("x").id("listed-" + i).attribute("group", "g"));
    }
    WorkflowFilter group = WorkflowFilter.ALL.type("echo").attribute("group", "g");
    List<String> ids = tenure.list(group).map(WorkflowSummary::workflowId).toList();
    assertThat(ids).hasSize(many).doesNotHaveDuplicates().startsWith("listed-" + (many - 1));
    try (FaultyProxy watched = new FaultyProxy(node.uri());
        TenureClient over = TenureClient.to(watched.uri()).build()) {
      assertThat(over.list(group).limit(5)).hasSize(5);
      assertThat(watched.seen()).as("pages that were asked for").hasSize(1);
      assertThat(over.list(group)).hasSize(many);
      assertThat(watched.seen()).hasSize(3);
    }
    assertThat(tenure.list(group.status(WorkflowStatus.PAUSED))).isEmpty();
  }

  @Test
  void aHistoryIsReadAcrossItsPages() {
    WorkflowHandle<Filled> basket = tenure.start(Basket.TYPE, "long", Customer.ada());
    for (int i = 0; i < 130; i++) {
      int wanted = i + 1;
      basket.signal("item", new Item("n", i));
      RealNode.await("received", () -> basket.query("count", Integer.class) == wanted);
    }
    basket.signal("item", Item.DONE);
    basket.result();
    List<Long> versions = basket.history().map(Commit::version).toList();
    assertThat(versions)
        .hasSizeGreaterThan(130)
        .isEqualTo(Stream.iterate(1L, n -> n + 1).limit(versions.size()).toList());
    assertThat(basket.history().findFirst().orElseThrow().events().getFirst().type())
        .isEqualTo("started");
    assertThat(basket.history(versions.size() - 1)).hasSize(1);
  }
}
