/** One commit as the journal keeps it: an entry, linked to the one before by a hash. */
package dev.tenure.persistence.entry;
