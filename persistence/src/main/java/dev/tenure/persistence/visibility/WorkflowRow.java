package dev.tenure.persistence.visibility;

import dev.tenure.persistence.commit.StoredText;
import dev.tenure.persistence.key.KeyText;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What lists, searches and wake-ups know of a workflow.
 *
 * @param wakeAt when it must be awake: not after now while something is in flight, the earliest
 *     timer while it sleeps, empty when only a message can move it
 */
public record WorkflowRow(
    String id,
    int shard,
    UUID runId,
    String type,
    int typeVersion,
    WorkflowStatus status,
    Optional<Instant> wakeAt,
    Instant startedAt,
    Optional<Instant> closedAt,
    Optional<String> parent,
    Attributes attributes) {
  public static final int MAX_ID_BYTES = 512;
  public static final int MAX_TYPE_BYTES = 255;

  public WorkflowRow {
    KeyText.require("the workflow id", id, MAX_ID_BYTES);
    StoredText.require("the workflow type", type, MAX_TYPE_BYTES);
    parent.ifPresent(p -> KeyText.require("the parent's workflow id", p, MAX_ID_BYTES));
    if (closedAt.isPresent() != status.isTerminal()) {
      throw new IllegalArgumentException(
          id + " is " + status + " and closed at " + closedAt.map(Instant::toString).orElse("no time"));
    }
    wakeAt = wakeAt.map(time -> StoredTime.ceiling("a wake-up of " + id, time));
    startedAt = StoredTime.floor("the start of " + id, startedAt);
    closedAt = closedAt.map(time -> StoredTime.floor("the end of " + id, time));
    if (closedAt.isPresent()) wakeAt = Optional.empty();
  }
}
