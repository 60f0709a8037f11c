package dev.tenure.sharding.loop;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import dev.tenure.sharding.activity.InvocationLedger;
import java.util.List;
import java.util.Optional;

/** The records of keyed calls, asked on the loop's thread: the store answers at once or throws. */
record LoopLedger(ActivityRecords records) implements InvocationLedger {
  @Override
  public Optional<ActivityRecord> find(ActivityKey key) {
    return records.find(List.of(key)).getFirst();
  }

  @Override
  public Recorded complete(ActivityEffect effect) {
    return records.complete(List.of(effect)).getFirst();
  }
}
