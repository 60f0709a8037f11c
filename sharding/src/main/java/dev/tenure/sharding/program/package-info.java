/**
 * What stands between the owner of a workflow and what runs its program. The owner drives a {@link
 * dev.tenure.sharding.program.ProgramRun}: it hands over news, takes wishes, asks queries and gives
 * the run up. The run reports what it comes to through {@link
 * dev.tenure.sharding.program.ProgramReports}. Threads, branches and pacing are the affair of the
 * run, and of code only.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.program;
