package dev.tenure.http.workflow;

import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.workflow.Workflows;
import java.util.function.Supplier;

/**
 * What stands behind the door.
 *
 * @param ids unique for ever: workflows, signals and updates that come without an id get one
 */
public record Engine(Workflows workflows, Storage storage, Supplier<String> ids) {}
