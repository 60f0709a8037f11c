/** The phases of workflows and operations, as transition tables. */
package dev.tenure.workflow.lifecycle;
