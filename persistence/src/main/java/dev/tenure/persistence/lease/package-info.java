/** Which node holds which shard, until when, and under which epoch. */
package dev.tenure.persistence.lease;
