package dev.tenure.sharding.context;

import dev.tenure.workflow.Handle;
import dev.tenure.workflow.SignalChannel;
import dev.tenure.workflow.TypeRef;
import java.time.Duration;
import java.util.Optional;

/** Signals of one name. */
record Channel<T>(CodeContext context, String name, TypeRef<T> type) implements SignalChannel<T> {
  @Override
  public T receive() {
    return context.awaitSignal(name, type);
  }

  @Override
  public Optional<T> receive(Duration timeout) {
    return context.awaitSignal(name, type, timeout);
  }

  @Override
  public Handle<T> receiveAsync() {
    return context.signalAsync(name, type);
  }
}
