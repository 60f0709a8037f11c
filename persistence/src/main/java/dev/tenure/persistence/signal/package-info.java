/** Signals: what is sent, what waits for a workflow, and what a sender is answered. */
package dev.tenure.persistence.signal;
