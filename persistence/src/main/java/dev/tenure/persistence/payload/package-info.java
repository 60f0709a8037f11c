/** Payloads that are too large for the journal: kept beside it, and referred to by their hash. */
package dev.tenure.persistence.payload;
