/**
 * What Pekko Persistence is given of the storage: the journal plugin and its actor system's
 * extension.
 */
package dev.tenure.persistence.pekko;
