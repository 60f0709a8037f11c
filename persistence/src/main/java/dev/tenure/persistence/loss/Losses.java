package dev.tenure.persistence.loss;

import dev.tenure.persistence.commit.CommitId;
import java.util.List;
import java.util.Optional;

/**
 * What a store says about its own past. All methods block and throw {@link
 * dev.tenure.persistence.storage.StorageException} when the store cannot be reached.
 */
public interface Losses {
  /** Of a store that cannot lose a part of what it has: it is there as a whole or not at all. */
  Losses IMPOSSIBLE =
      new Losses() {
        @Override
        public Optional<StoreMark> mark() {
          return Optional.empty();
        }

        @Override
        public List<CommitId> missingCommits(List<CommitId> acknowledged) {
          return List.of();
        }

        @Override
        public List<AcceptedSignal> missingSignals(List<AcceptedSignal> acknowledged) {
          return List.of();
        }

        @Override
        public void record(LossReport report) {}

        @Override
        public List<LossReport> reports() {
          return List.of();
        }
      };

  /** A signal whose acceptance was acknowledged. */
  record AcceptedSignal(String workflowId, String name, String id) {}

  /** How far the store has come; empty when it cannot lose a part of what it has. */
  Optional<StoreMark> mark();

  /** Those that are not stored. The same version of another writer is another commit. */
  List<CommitId> missingCommits(List<CommitId> acknowledged);

  /** Those whose answer is not stored. */
  List<AcceptedSignal> missingSignals(List<AcceptedSignal> acknowledged);

  /** Keeps a report for the operator. The engine never removes one. */
  void record(LossReport report);

  /** The reports that were not removed, the oldest first. */
  List<LossReport> reports();
}
