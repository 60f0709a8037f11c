package dev.tenure.simulation;

import dev.tenure.persistence.storage.StorageException;

/** The way of one node to the database. A node that has lost it still hears the other nodes. */
final class DatabaseLink {
  private boolean isCut;

  void cut() {
    isCut = true;
  }

  void mend() {
    isCut = false;
  }

  boolean isCut() {
    return isCut;
  }

  void require() {
    if (isCut) throw new StorageException.Unavailable("cut off", null);
  }
}
