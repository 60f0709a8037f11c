/**
 * What the owner of one workflow writes, and what was written. {@link
 * dev.tenure.sharding.commit.HistoryWriter} folds the history and makes the next commit. {@link
 * dev.tenure.sharding.commit.VisibilityRows} and {@link dev.tenure.sharding.commit.RepairRows} say
 * which rows beside the journal go with it. {@link dev.tenure.sharding.commit.CommitPortion} cuts
 * what is too large for one commit.
 *
 * <p>This package may use {@code host}, {@code mailbox}, {@code message} and {@code recovery}. It
 * hands nothing out: {@code run} does.
 */
package dev.tenure.sharding.commit;
