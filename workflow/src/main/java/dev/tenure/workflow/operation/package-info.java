/** The unit of which every program is made: what it is, how it is named, how it can come out. */
package dev.tenure.workflow.operation;
