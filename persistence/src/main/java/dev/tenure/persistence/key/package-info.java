/** Identifiers as they are stored. */
package dev.tenure.persistence.key;
