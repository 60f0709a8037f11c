package dev.tenure.sharding.counter;

import dev.tenure.persistence.commit.Fence;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Text: {@code <shard> <epoch> <request or value>}. */
public final class CounterSerializer extends SerializerWithStringManifest {
  @Override
  public int identifier() {
    return 90_001;
  }

  @Override
  public String manifest(Object stored) {
    return switch ((Stored) stored) {
      case Stored.Incremented i -> "incremented";
      case Stored.Snapshot s -> "snapshot";
    };
  }

  @Override
  public byte[] toBinary(Object stored) {
    Fence fence = ((Stored) stored).fence();
    String rest =
        switch ((Stored) stored) {
          case Stored.Incremented i -> i.request();
          case Stored.Snapshot s -> Long.toString(s.value());
        };
    return (fence.shard() + " " + fence.epoch() + " " + rest).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split(" ", 3);
    Fence fence = new Fence(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    return switch (manifest) {
      case "incremented" -> new Stored.Incremented(fence, parts[2]);
      case "snapshot" -> new Stored.Snapshot(fence, Long.parseLong(parts[2]));
      default -> throw new IllegalArgumentException("unknown manifest " + manifest);
    };
  }
}
