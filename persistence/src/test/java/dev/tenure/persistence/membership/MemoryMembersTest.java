package dev.tenure.persistence.membership;

import java.time.InstantSource;

class MemoryMembersTest extends MembersContract {
  @Override
  protected Members members() {
    return new MemoryMembers(InstantSource.system());
  }
}
