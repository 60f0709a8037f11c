/** Which way workflows and operations go through their lives, as tables. */
package dev.tenure.workflow.lifecycle;
