/** What stands for the beginning of a history, so that recovery need not fold it. */
package dev.tenure.persistence.snapshot;
