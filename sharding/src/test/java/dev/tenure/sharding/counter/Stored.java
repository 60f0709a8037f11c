package dev.tenure.sharding.counter;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.journal.Fenced;

/** What a counter stores: readable by SQL, so that a test can look for the writer of each byte. */
sealed interface Stored extends Fenced {
  /** One acknowledged increment; the request is what the client will look for. */
  record Incremented(Fence fence, String request) implements Stored {}

  record Snapshot(Fence fence, long value) implements Stored {}
}
