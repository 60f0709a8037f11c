package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.payload.PayloadConversionException;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.AesPayloadCipher;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.PayloadCipher.Encrypted;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an application stores encrypted, its tests store encrypted, too. */
class EncryptionTest {
  private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NEXT = "fedcba9876543210".getBytes(StandardCharsets.US_ASCII);
  private static final AesPayloadCipher FIRST = AesPayloadCipher.of("first", KEY);
  private static final AesPayloadCipher ROTATED =
      AesPayloadCipher.of("second", NEXT).reading("first", KEY);
  private static final PayloadCodec PLAIN = PayloadCodec.standard();
  private static final PayloadCodec CODEC = PLAIN.encryptedBy(FIRST);

  static final ActivityDefinition<String, String> ECHO =
      ActivityDefinition.of("echo", String.class, String.class);

  @Workflow(name = "secretive")
  public static class Secretive {
    public String run(WorkflowContext ctx, String input) {
      String step = ctx.step("step", () -> input + "!");
      ctx.sleep(Duration.ofDays(1));
      return step + ctx.activity(ECHO, input);
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Secretive.class).activity(ECHO, (call, text) -> text).encryption(FIRST);

  @Test
  void aTestAndAReplayTakeTheCipher(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<String> secretive = engine.workflows().start(Secretive::run, "s", "psst");
    assertThat(secretive.result()).isEqualTo("psst!psst");
    assertThat(engine.steps(secretive).getFirst().result(String.class)).isEqualTo("psst!");

    WorkflowFactory<Secretive> code = Secretive::new;
    Replays.assertReplays(engine.history(secretive), Secretive.class, code, CODEC);
    // Under a new key as under the old one.
    Replays.assertReplays(
        engine.history(secretive), Secretive.class, code, PLAIN.encryptedBy(ROTATED));
    assertThatThrownBy(() -> Replays.assertReplays(engine.history(secretive), Secretive.class))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void equalBytesBecomeEqualBytesAndReadBack() {
    byte[] plain = "a value".getBytes(StandardCharsets.UTF_8);
    Encrypted once = FIRST.encrypt(plain);
    assertThat(once.bytes()).isEqualTo(FIRST.encrypt(plain).bytes());
    assertThat(once.bytes()).isNotEqualTo(ROTATED.encrypt(plain).bytes());
    assertThat(ROTATED.decrypt(once)).isEqualTo(plain);
    assertThat(ROTATED.encrypt(plain).keyId()).isEqualTo("second");
    assertThatThrownBy(() -> FIRST.decrypt(ROTATED.encrypt(plain)))
        .hasMessageContaining("no key \"second\"");
    byte[] changed = once.bytes().clone();
    changed[changed.length - 1] ^= 1;
    assertThatThrownBy(() -> FIRST.decrypt(new Encrypted("first", changed)))
        .hasMessageContaining("was changed");
    assertThatThrownBy(() -> FIRST.decrypt(new Encrypted("first", new byte[3])))
        .hasMessageContaining("was changed");
    assertThatThrownBy(() -> AesPayloadCipher.of("short", new byte[5]))
        .hasMessageContaining("16, 24 or 32");
    assertThat(FIRST).hasToString("AES under key first of [first]");
  }

  @Test
  void whatIsEncryptedSaysSoToThoseWithoutAKey() {
    Payload stored = CODEC.write("psst", String.class, "the value");
    assertThat(new String(stored.bytes(), StandardCharsets.ISO_8859_1)).doesNotContain("psst");
    assertThat(CODEC.read(stored, String.class, "the value")).isEqualTo("psst");
    assertThat(CODEC.read(PLAIN.write("old", String.class, "it"), String.class, "it"))
        .isEqualTo("old");
    assertThatThrownBy(() -> PLAIN.read(stored, String.class, "the value"))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("The value is encrypted under key \"first\"");

    String opaque = PayloadCodec.jsonOf(stored);
    assertThat(opaque).startsWith("{\"$encrypted\":{\"keyId\":\"first\",\"data\":\"");
    // Encrypted outside, it is taken as it is; what is not, is encrypted at the door.
    assertThat(CODEC.received(raw(opaque))).isEqualTo(stored);
    assertThat(CODEC.received(stored)).isEqualTo(stored);
    assertThat(CODEC.received(raw("\"psst\""))).isEqualTo(stored);
    assertThat(CODEC.received(Payload.NONE)).isEqualTo(Payload.NONE);
    assertThatThrownBy(
            () -> CODEC.received(raw("{\"$encrypted\":{\"keyId\":\"k\",\"data\":\"?\"}}")))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("Base64");
  }

  private static Payload raw(String json) {
    return Payload.of(json.getBytes(StandardCharsets.UTF_8));
  }
}
