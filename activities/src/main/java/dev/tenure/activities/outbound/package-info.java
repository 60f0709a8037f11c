/**
 * Which addresses the process may connect to on behalf of a workflow. A URL in a workflow's input
 * can come from anybody, and the node can often reach what its callers cannot.
 */
package dev.tenure.activities.outbound;
