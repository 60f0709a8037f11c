/**
 * What people write workflows with: an annotated class, one method, and a context that records what
 * happens.
 */
package dev.tenure.workflow;
