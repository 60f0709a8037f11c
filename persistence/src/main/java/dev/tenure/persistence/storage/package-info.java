/**
 * The port to everything durable. An adapter implements {@link
 * dev.tenure.persistence.storage.Storage} and passes its contract.
 */
package dev.tenure.persistence.storage;
