/** Queues that merge the requests of many callers into few calls of the storage. */
package dev.tenure.persistence.merging;
