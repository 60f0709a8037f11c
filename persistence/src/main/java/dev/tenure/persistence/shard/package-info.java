/** Into which shard a workflow falls. */
package dev.tenure.persistence.shard;
