/**
 * The port between the owner of a workflow and its program. The owner drives a {@link
 * dev.tenure.sharding.program.ProgramRun}: it hands over news, takes wishes, asks queries and gives
 * the run up. The run reports its results through {@link
 * dev.tenure.sharding.program.ProgramReports}. Only runs of code have threads and branches.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.program;
