/** Reads histories and says which invariant is broken, without the code that made them. */
package dev.tenure.workflow.audit;
