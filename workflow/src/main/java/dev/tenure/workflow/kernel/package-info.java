/**
 * What happens next in a workflow, decided without a clock, a thread or a byte of storage.
 *
 * <pre>
 *   command -> admit -> news -> Program.advance -> wishes -> decide -> events + effects + reply
 * </pre>
 */
package dev.tenure.workflow.kernel;
