package dev.tenure.bench.commits;

import dev.tenure.bench.measure.Meter;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/** Persistent actors that each store their next event when the last one is durable. */
final class ActorsLoad implements Meter.Load {
  private final ActorSystem system;
  private final LongSupplier transactions;

  ActorsLoad(
      ActorSystem system,
      LongSupplier transactions,
      int writers,
      String name,
      IntFunction<Writer.Setup> setup) {
    this.system = system;
    this.transactions = transactions;
    for (int writer = 0; writer < writers; writer++) {
      String id = name + "|" + writer;
      Adapter.<Writer.Command>spawn(system, Writer.create(id, setup.apply(writer)), name + writer)
          .tell(Writer.Go.GO);
    }
  }

  @Override
  public long transactions() {
    return transactions.getAsLong();
  }

  @Override
  public void stop() {
    Systems.stop(system);
  }
}
