package dev.tenure.sharding.host;

import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The owner of a workflow that is handed signals and does not come to them. */
public final class HoldingOwner extends Residents.Resident {
  public final List<IncomingSignal> has = new CopyOnWriteArrayList<>();

  @Override
  protected void look(long nowMs, boolean crowded, boolean carriers) {}

  @Override
  protected boolean rests() {
    return false;
  }

  @Override
  protected boolean isQuiet() {
    return false;
  }

  @Override
  protected boolean tell(Message message) {
    return message instanceof Message.Signalled(IncomingSignal signal) && has.add(signal);
  }

  @Override
  protected long dueMs() {
    return Long.MAX_VALUE;
  }
}
