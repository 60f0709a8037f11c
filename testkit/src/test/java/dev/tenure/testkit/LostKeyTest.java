package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.AesPayloadCipher;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that lacks a key breaks no workflow: it stands still until the key is there. */
class LostKeyTest {
  private static final PayloadCipher KEYS =
      AesPayloadCipher.of("first", "0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
  private static final PayloadCipher WITHOUT_KEYS =
      AesPayloadCipher.of("other", "fedcba9876543210".getBytes(StandardCharsets.US_ASCII));

  private final AtomicBoolean lost = new AtomicBoolean();

  private final class Keys implements PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain) {
      return KEYS.encrypt(plain);
    }

    @Override
    public byte[] decrypt(Encrypted encrypted) {
      return (lost.get() ? WITHOUT_KEYS : KEYS).decrypt(encrypted);
    }
  }

  @Workflow(name = "patient-secret")
  public static class Secretive {
    public String run(WorkflowContext ctx, String input) {
      String step = ctx.step("step", () -> input + "!");
      ctx.sleep(Duration.ofDays(1));
      return step;
    }
  }

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Secretive.class).encryption(new Keys());

  @Test
  void whatCannotBeDecryptedIsAnIncidentThatNamesTheKey(TestEngine engine) {
    WorkflowHandle<String> secretive = engine.workflows().start(Secretive::run, "s", "psst");
    lost.set(true);
    engine.pass(Duration.ofDays(2));

    assertThat(secretive.describe().status()).isEqualTo(Status.INCIDENT);
    assertThat(secretive.describe().incident().orElseThrow().message())
        .contains("There is no key \"first\" here");

    lost.set(false);
    secretive.resolveIncident("the key is there");
    assertThat(secretive.result()).isEqualTo("psst!");
  }
}
