/** Stored states of workflows, so that a recovery need not fold the history before them. */
package dev.tenure.persistence.snapshot;
