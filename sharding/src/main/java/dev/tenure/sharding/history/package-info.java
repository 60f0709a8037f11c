/** Histories outside of the store: written to a file, read back, and replayed against code. */
package dev.tenure.sharding.history;
