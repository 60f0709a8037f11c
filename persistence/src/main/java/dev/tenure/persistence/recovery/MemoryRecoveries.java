package dev.tenure.persistence.recovery;

import dev.tenure.persistence.commit.SideRow;
import java.util.Collection;
import java.util.List;

/** Of a storage inside one process: a node that is lost takes it along, so there is no recovery. */
public final class MemoryRecoveries implements Recoveries {
  /** Takes a side row of a commit; false when it is of another kind. */
  public boolean apply(SideRow side) {
    return side.kind().equals(RecoveryWrites.PROGRESSED);
  }

  @Override
  public List<Recovery> takeOver(Collection<Beginning> tenures) {
    return List.of();
  }

  @Override
  public int tryTogether(List<Recovery> group, int size) {
    return 0;
  }

  @Override
  public void outlived(List<Recovery> group) {}
}
