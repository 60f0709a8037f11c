package dev.tenure.testkit;

import dev.tenure.sharding.payload.PayloadCodec;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Values that did not come back as they were written. */
final class ValueWarnings {
  private static final Logger log = LoggerFactory.getLogger(ValueWarnings.class);

  private final List<String> all = new CopyOnWriteArrayList<>();

  PayloadCodec comparing(PayloadCodec codec) {
    return codec.comparing(
        difference -> {
          if (!all.contains(difference)) log.warn("{}", difference);
          all.add(difference);
        });
  }

  List<String> all() {
    return List.copyOf(all);
  }
}
