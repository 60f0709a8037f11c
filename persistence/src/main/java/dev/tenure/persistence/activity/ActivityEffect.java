package dev.tenure.persistence.activity;

import dev.tenure.workflow.Payload;
import java.util.Optional;

/**
 * A completed effect, as its executor or a verifier reports it beside the owner's commits.
 *
 * @param shard of the workflow
 * @param result empty when the outside world could not give it
 * @param verdict of the verifier, when it comes from one
 */
public record ActivityEffect(
    ActivityKey key,
    int shard,
    Optional<Payload> result,
    Optional<ActivityRecord.Verdict> verdict) {}
