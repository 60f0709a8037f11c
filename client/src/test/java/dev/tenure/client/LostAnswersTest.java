package dev.tenure.client;

import static dev.tenure.client.FaultyProxy.Fault.BAD_GATEWAY;
import static dev.tenure.client.FaultyProxy.Fault.BUSY;
import static dev.tenure.client.FaultyProxy.Fault.CUT_AFTER;
import static dev.tenure.client.FaultyProxy.Fault.CUT_BEFORE;
import static dev.tenure.client.FaultyProxy.Fault.CUT_WITHIN;
import static dev.tenure.client.FaultyProxy.Fault.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.tenure.client.Basket.Customer;
import dev.tenure.client.Basket.Filled;
import dev.tenure.client.Basket.Item;
import dev.tenure.client.FaultyProxy.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests and answers get lost between client and node: nothing acts twice, and nothing is lost.
 */
class LostAnswersTest {
  private static final RetryPolicy PATIENT =
      new RetryPolicy(10, Duration.ofMillis(5), Duration.ofMillis(20), RealNode.SOON);

  private static RealNode node;
  private static FaultyProxy proxy;
  private static TenureClient tenure;
  private static TenureClient direct;
  private static final List<Duration> PAUSES = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() {
    node = RealNode.open();
    proxy = new FaultyProxy(node.uri());
    // Pauses are written down, not taken.
    tenure = TenureClient.to(proxy.uri()).retries(PATIENT).pauses(PAUSES::add).build();
    direct = TenureClient.to(node.uri()).build();
  }

  @AfterAll
  static void stop() {
    tenure.close();
    direct.close();
    proxy.close();
    node.close();
  }

  @BeforeEach
  void forget() {
    PAUSES.clear();
  }

  /** The same fault twice: whatever a first retry may not do, a second one may not do either. */
  private static void losing(Fault fault) {
    proxy.next(fault, fault);
  }

  private static void assertThatItWasTriedAgain() {
    assertThat(proxy.seen()).as("requests").hasSize(3);
    assertThat(PAUSES).hasSize(2);
  }

  private static List<Item> itemsOf(WorkflowHandle<?> basket, int atLeast) {
    RealNode.await("received", () -> basket.query("count", Integer.class) >= atLeast);
    return basket.query("items", null, new TypeReference<>() {});
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aStartStartsOne(Fault fault) {
    losing(fault);
    WorkflowHandle<Filled> named = tenure.start(Basket.TYPE, "started-" + fault, Customer.ada());
    assertThatItWasTriedAgain();
    assertThat(proxy.seen().stream().map(m -> m.header("Idempotency-Key")).distinct())
        .as("keys of one call")
        .hasSize(1);
    assertThat(direct.workflow(named.id()).describe().type()).isEqualTo("basket");

    losing(fault);
    tenure.start(Basket.TYPE.request(Customer.ada()).attribute("test", "unnamed" + fault));
    assertThat(direct.list(WorkflowFilter.ALL.attribute("test", "unnamed" + fault))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aSignalIsReceivedOnce(Fault fault) {
    WorkflowHandle<Filled> basket = direct.start(Basket.TYPE, "signalled-" + fault, Customer.ada());
    WorkflowHandle<Filled> far = tenure.workflow(basket.id(), Basket.TYPE);
    losing(fault);
    far.signal("item", new Item("generated", 1));
    assertThatItWasTriedAgain();
    losing(fault);
    SignalReceipt first = far.signal("item", new Item("given", 2), "given");
    losing(fault);
    assertThat(far.signal("item", new Item("given", 2), "given")).isEqualTo(first);
    assertThat(itemsOf(basket, 2)).containsExactly(new Item("generated", 1), new Item("given", 2));

    // Also the last one, after which the workflow is gone.
    losing(fault);
    far.signal("item", Item.DONE);
    assertThat(far.result().items()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void startOrSignalStartsOneAndSignalsOnce(Fault fault) {
    losing(fault);
    StartRequest<Customer, Filled> request =
        Basket.TYPE.request(Customer.ada()).id("both-" + fault);
    tenure.startOrSignal(request, "item", new Item("first", 1));
    assertThatItWasTriedAgain();
    losing(fault);
    assertThat(tenure.startOrSignal(request, "item", new Item("second", 2)).started()).isFalse();
    assertThat(itemsOf(direct.workflow(request.id().orElseThrow()), 2))
        .containsExactly(new Item("first", 1), new Item("second", 2));
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void anUpdateIsCarriedOutOnce(Fault fault) {
    WorkflowHandle<Filled> basket = direct.start(Basket.TYPE, "updated-" + fault, Customer.ada());
    losing(fault);
    WorkflowHandle<Filled> far = tenure.workflow(basket.id(), Basket.TYPE);
    assertThat(far.update("limit", 5, Integer.class)).isEqualTo(1);
    assertThatItWasTriedAgain();
    assertThat(basket.update("limit", 5, Integer.class)).as("times it ran").isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void ordersThatNothingLeadsOutOfAreRepeated(Fault fault) {
    WorkflowHandle<Filled> ended = direct.start(Basket.TYPE, "ended-" + fault, Customer.ada());
    losing(fault);
    tenure.workflow(ended.id()).terminate("enough");
    assertThatItWasTriedAgain();
    assertThat(ended.describe().status()).isEqualTo(WorkflowStatus.TERMINATED);

    WorkflowHandle<Filled> left = direct.start(Basket.TYPE, "left-" + fault, Customer.ada());
    losing(fault);
    tenure.workflow(left.id()).cancel("no need");
    RealNode.await("ended", () -> left.describe().status().isFinal());
    assertThat(left.describe().status()).isEqualTo(WorkflowStatus.CANCELLED);
  }

  @Test
  void whatAnotherMayHaveUndoneIsLeftToTheCaller() {
    WorkflowHandle<Filled> basket = direct.start(Basket.TYPE, "paused", Customer.ada());
    WorkflowHandle<Filled> far = tenure.workflow("paused", Basket.TYPE);
    proxy.next(CUT_AFTER);
    assertThatExceptionOfType(TenureException.OutcomeUnknown.class)
        .isThrownBy(() -> far.pause("look"))
        .satisfies(e -> assertThat(e.key()).isEmpty())
        .satisfies(e -> assertThat(e.mayHaveBeenDone()).isTrue());
    assertThat(proxy.seen()).hasSize(1);
    assertThat(basket.describe().status()).isEqualTo(WorkflowStatus.PAUSED);

    // A server that says that it did nothing is believed.
    proxy.next(BUSY, BUSY);
    assertThat(far.resume()).isTrue();
    assertThatItWasTriedAgain();
  }

  @Test
  void aServerThatSaysWhenToComeAgainIsObeyed() {
    proxy.next(BUSY, BUSY);
    tenure.start(Basket.Echo.TYPE, "busy", "x");
    assertThat(PAUSES)
        .hasSize(2)
        .allSatisfy(
            pause ->
                assertThat(pause)
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(FaultyProxy.RETRY_AFTER_SECONDS)));
  }

  @Test
  void aCallThatIsGivenUpCanBeMadeAgainUnderItsKey() {
    WorkflowHandle<Filled> basket = direct.start(Basket.TYPE, "given-up", Customer.ada());
    WorkflowHandle<Filled> far = tenure.workflow("given-up", Basket.TYPE);
    proxy.always(() -> CUT_AFTER);
    List<String> keys = new CopyOnWriteArrayList<>();
    assertThatExceptionOfType(TenureException.OutcomeUnknown.class)
        .isThrownBy(() -> far.signal("item", new Item("once", 1)))
        .satisfies(e -> keys.add(e.key().orElseThrow()));
    assertThat(proxy.seen()).as("tries").hasSize(PATIENT.attemptsMax());
    proxy.next();
    far.signal("item", new Item("once", 1), keys.getFirst());
    far.signal("item", new Item("last", 2));
    assertThat(itemsOf(basket, 2)).containsExactly(new Item("once", 1), new Item("last", 2));
  }

  @Test
  void theLastTryDoesNotSpeakForTheOnesBeforeIt() {
    int[] tries = {0};
    proxy.always(() -> tries[0]++ == 0 ? CUT_AFTER : BUSY);
    assertThatExceptionOfType(TenureException.OutcomeUnknown.class)
        .isThrownBy(() -> tenure.start(Basket.Echo.TYPE, "hidden", "x"))
        .satisfies(e -> assertThat(e.code()).isEqualTo("Overloaded"));
    assertThat(direct.workflow("hidden").result().asText()).isEqualTo("x");

    proxy.always(() -> BUSY);
    assertThatExceptionOfType(TenureException.Unavailable.class)
        .isThrownBy(() -> tenure.start(Basket.Echo.TYPE, "never", "x"))
        .satisfies(e -> assertThat(e.mayHaveBeenDone()).isFalse());
    assertThatExceptionOfType(TenureException.NotFound.class)
        .isThrownBy(() -> direct.workflow("never").describe());
  }

  @Test
  void anAcceptanceThatIsIndeterminateIsToldAndNotTriedAgain() {
    WorkflowHandle<Filled> basket = direct.start(Basket.TYPE, "torn", Customer.ada());
    // One that its code does not await: it is still where it was put.
    basket.signal("unread", 1, "torn-signal");
    node.database.execute("DELETE FROM signal_response WHERE signal_id = 'torn-signal'");
    proxy.next();
    assertThatExceptionOfType(TenureException.SignalAcceptanceIndeterminate.class)
        .isThrownBy(() -> tenure.workflow("torn").signal("unread", 1, "torn-signal"))
        .satisfies(e -> assertThat(e.code()).isEqualTo("SignalAcceptanceIndeterminate"))
        .satisfies(e -> assertThat(e.workflowId()).isEqualTo("torn"))
        .satisfies(e -> assertThat(e.signalName()).isEqualTo("unread"))
        .satisfies(e -> assertThat(e.signalId()).isEqualTo("torn-signal"))
        .satisfies(e -> assertThat(e.correlationId()).isNotEmpty());
    assertThat(proxy.seen()).hasSize(1);
  }

  @Test
  void aSecondOfAllFaultsAtOnceLosesAndDoublesNothing() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Fault> bad = List.of(CUT_BEFORE, CUT_AFTER, CUT_WITHIN, BUSY, BAD_GATEWAY);
    WorkflowHandle<Filled> basket = direct.start(Basket.TYPE, "stormy", Customer.ada());
    WorkflowHandle<Filled> far = tenure.workflow("stormy", Basket.TYPE);
    proxy.always(() -> random.nextInt(5) == 0 ? bad.get(random.nextInt(bad.size())) : NONE);
    int many = 150;
    for (int i = 0; i < many; i++) far.signal("item", new Item("n", i));
    assertThat(proxy.seen()).as("faults happened, seed " + seed).hasSizeGreaterThan(many);
    assertThat(itemsOf(basket, many))
        .as("seed " + seed)
        .isEqualTo(IntStream.range(0, many).mapToObj(i -> new Item("n", i)).toList());
  }
}
