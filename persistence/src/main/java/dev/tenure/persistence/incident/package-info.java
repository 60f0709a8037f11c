/** The workflows that stand still and need a person: one row each, beside their history. */
package dev.tenure.persistence.incident;
