package dev.tenure.persistence.membership;

import dev.tenure.persistence.memory.MemoryStorage;
import java.time.InstantSource;

class MemoryMembersTest extends MembersContract {
  @Override
  protected Members members() {
    return MemoryStorage.create(InstantSource.system()).members();
  }
}
