/** What stands still and needs a person: one row per workflow, beside its history. */
package dev.tenure.persistence.incident;
