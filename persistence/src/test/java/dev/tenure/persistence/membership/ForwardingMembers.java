package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.util.Collection;
import java.util.function.Function;

/** Passes everything on; a test overrides the call that goes wrong. */
class ForwardingMembers implements Members {
  private final Members to;

  ForwardingMembers(Members to) {
    this.to = to;
  }

  @Override
  public Formation seek(Holder self, Function<Roster, Formation> decision) {
    return to.seek(self, decision);
  }

  @Override
  public Standing joined(Holder self, long generation) {
    return to.joined(self, generation);
  }

  @Override
  public Standing beat(Holder self, long generation) {
    return to.beat(self, generation);
  }

  @Override
  public Standing forget(Holder self, long generation, Collection<Holder> removed) {
    return to.forget(self, generation, removed);
  }

  @Override
  public void leave(Holder self) {
    to.leave(self);
  }

  @Override
  public Roster roster() {
    return to.roster();
  }
}
