/** One commit as the journal keeps it, linked to the one before by a hash. */
package dev.tenure.persistence.step;
