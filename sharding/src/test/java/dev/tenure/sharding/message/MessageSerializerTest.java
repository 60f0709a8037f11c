package dev.tenure.sharding.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.wire.UnreadableMessageError;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes of two releases in one cluster understand each other. */
class MessageSerializerTest {
  private static final long SEED = Long.getLong("tenure.seed", 20261118L);
  private static final String GOLDEN = "/dev/tenure/sharding/message/messages-1.properties";

  private final MessageSerializer serializer =
      new MessageSerializer(
          new MessageSerializer.Addresses() {
            @Override
            public String of(ReplyTo replyTo) {
              return ((WireSamples.Named) replyTo).name();
            }

            @Override
            public ReplyTo replyTo(String address) {
              return new WireSamples.Named(address);
            }
          });

  private static Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    WireSamples.messages().forEach((name, message) -> all.put("message." + name, message));
    WireSamples.answers().forEach((name, answer) -> all.put("answer." + name, answer));
    return all;
  }

  private Object read(byte[] bytes, Object like) {
    return serializer.fromBinary(bytes, serializer.manifest(like));
  }

  /** What released nodes write. Add to it; what is there never changes. */
  @Test
  void everyKindIsWrittenAndReadAsEver() throws IOException {
    Properties golden = new Properties();
    try (InputStream in = getClass().getResourceAsStream(GOLDEN)) {
      golden.load(in);
    }
    List<String> missing = new ArrayList<>();
    all()
        .forEach(
            (name, object) -> {
              String hex = HexFormat.of().formatHex(serializer.toBinary(object));
              String known = golden.getProperty(name);
              if (known == null) missing.add(name + "=" + hex);
              else {
                assertThat(hex).as(name).isEqualTo(known);
                assertThat(read(HexFormat.of().parseHex(known), object)).isEqualTo(object);
              }
            });
    assertThat(String.join("\n", missing)).as("not in " + GOLDEN).isEmpty();
  }

  @Test
  void everyKindThatTravelsHasItsSample() {
    Set<Class<?>> samples = new HashSet<>();
    for (Object object : all().values()) {
      samples.add(object.getClass());
      if (object instanceof Message.Tell(Command command, ReplyTo replyTo))
        samples.add(command.getClass());
      if (object instanceof Answer.Said(Reply reply)) samples.add(reply.getClass());
      if (object instanceof Answer.Queried(Inquiry.Reply reply)) samples.add(reply.getClass());
    }
    assertThat(samples).contains(Message.Asked.class.getPermittedSubclasses());
    assertThat(samples).contains(Answer.class.getPermittedSubclasses());
    assertThat(samples).contains(Reply.class.getPermittedSubclasses());
    assertThat(samples).contains(Inquiry.Reply.class.getPermittedSubclasses());
  }

  @Test
  void whatConcernsTheOwnerAloneDoesNotTravel() {
    assertThatThrownBy(() -> serializer.toBinary(Message.Idle.IDLE))
        .hasMessageContaining("does not travel");
    assertThatThrownBy(
            () ->
                serializer.toBinary(
                    new Message.Tell(new Command.Block("no code"), WireSamples.REPLY_TO)))
        .hasMessageContaining("does not travel");
  }

  @Test
  void whatANewerNodeAddedIsPassedOver() {
    all()
        .forEach(
            (name, object) -> {
              byte[] bytes = serializer.toBinary(object);
              // The record's length stands behind version and kind, in one byte or in two.
              int more = 3;
              boolean wide = bytes[2] < 0;
              int length = wide ? (bytes[2] & 0x7f) | bytes[3] << 7 : bytes[2];
              int start = wide ? 4 : 3;
              assertThat(start + length).isEqualTo(bytes.length);
              byte[] longer = new byte[4 + length + more];
              longer[0] = bytes[0];
              longer[1] = bytes[1];
              longer[2] = (byte) (length + more & 0x7f | 0x80);
              longer[3] = (byte) (length + more >> 7);
              System.arraycopy(bytes, start, longer, 4, length);
              Arrays.fill(longer, 4 + length, longer.length, (byte) 9);
              assertThat(read(longer, object)).as(name).isEqualTo(object);
            });
  }

  @Test
  void whatOnlyANewerNodeUnderstandsIsNamed() {
    byte[] version = serializer.toBinary(Message.Stop.STOP);
    version[0] = 2;
    assertThatThrownBy(() -> serializer.fromBinary(version, "m"))
        .isInstanceOf(UnreadableMessageError.FromNewerNode.class)
        .hasMessageContaining("version 2")
        .hasMessageContaining("upgrade");
    byte[] kind = serializer.toBinary(Message.Stop.STOP);
    kind[1] = 99;
    for (String manifest : List.of("m", "a"))
      assertThatThrownBy(() -> serializer.fromBinary(kind, manifest))
          .isInstanceOf(UnreadableMessageError.FromNewerNode.class)
          .hasMessageContaining("kind 99");
  }

  @Test
  void garbageIsRefusedWithATypedError() {
    Random random = new Random(SEED);
    List<byte[]> whole = all().values().stream().map(serializer::toBinary).toList();
    int refused = 0;
    for (int round = 0; round < 200_000; round++) {
      byte[] bytes = whole.get(random.nextInt(whole.size())).clone();
      switch (random.nextInt(3)) {
        case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        case 1 -> random.nextBytes(bytes);
        default -> {
          for (int i = random.nextInt(3); i >= 0; i--)
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
      try {
        serializer.fromBinary(bytes, random.nextBoolean() ? "m" : "a");
      } catch (UnreadableMessageError e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + SEED + ", round " + round, e);
      }
    }
    assertThat(refused).isGreaterThan(100_000);
  }

  @Test
  void theUsualMessageIsSmall() {
    int bytes = serializer.toBinary(new Message.Describe(WireSamples.REPLY_TO)).length;
    String address = ((WireSamples.Named) WireSamples.REPLY_TO).name();
    assertThat(bytes).isEqualTo(5 + address.getBytes(StandardCharsets.UTF_8).length);
  }
}
