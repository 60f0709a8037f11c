/**
 * Decides for one run of a workflow. {@link dev.tenure.sharding.run.Owner} takes up one message at
 * a time; {@link dev.tenure.sharding.run.Decisions} brings it to a commit; {@link
 * dev.tenure.sharding.run.CodeRun} says whether the program is in memory, who has the turn and what
 * the owner waits for; {@link dev.tenure.sharding.run.ReportHandler} takes up what the program
 * reports, and {@link dev.tenure.sharding.run.CodeFailures} what keeps it from going on; {@link
 * dev.tenure.sharding.run.RunTakeUp} begins with a history; {@link
 * dev.tenure.sharding.run.ReplayedQueries} answers queries when the code is not at work; {@link
 * dev.tenure.sharding.run.Departure} ends it when nothing moves any more.
 *
 * <p>The walk of a request, and the package that does each part of it:
 *
 * <pre>
 *   a caller
 *      |  Workflows, Caller                                  workflow
 *      v
 *   LocalFirstTransport -- not in memory --> ClusterTransport  host, message
 *      |                                        |
 *      |  Message                               v
 *      +-----------------------------> WorkflowEntity          node  (LoopEntity in loop)
 *                                           |  OwnerLoop        owner: the state machine
 *                                           v
 *   +--- Inbox, IncomingResults -------> Owner                 run
 *   |    mailbox: what waits                |  Decisions: is it news?
 *   |                                       v
 *   |        news  +------------------- ProgramRun             program: the port
 *   |              v                        ^
 *   |         CodeProgram                   |  wishes          code
 *   |              |  BranchScheduler       |                  branch: one thread at a time
 *   |              v                        |
 *   |         CodeContext: the user's code -+                  context; values: payload
 *   |                                       |
 *   |                                       v
 *   |                           StandardKernel.decide          (dev.tenure.workflow.kernel)
 *   |                                       |  events, effects, a reply
 *   |                                       v
 *   |                           HistoryWriter: one commit      commit
 *   |                                       |  the store says that it stands
 *   |                                       v
 *   +--- results ----------------- EffectRunner                effect
 *                                           |  PendingReplies, ReplyTo
 *                                           v
 *                                       the caller
 * </pre>
 *
 * <p>This package may use the packages in the picture but {@code node} and {@code loop}, and {@code
 * unreadable}, {@code snapshot} and {@code recovery}; of {@code workflow} only its errors. Nothing
 * but {@code node} and {@code loop} uses it.
 */
package dev.tenure.sharding.run;
