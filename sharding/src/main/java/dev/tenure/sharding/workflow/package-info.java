/** The actor that owns a workflow, and how one turns to it. */
package dev.tenure.sharding.workflow;
