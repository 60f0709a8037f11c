/**
 * Histories outside of the store: written to a file, read back, and replayed against code.
 *
 * <p>This package may use {@code code} and what it stands on, and {@code host}. It knows no owner.
 */
package dev.tenure.sharding.history;
