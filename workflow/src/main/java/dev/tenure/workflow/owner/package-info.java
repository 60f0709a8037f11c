/**
 * The life of a workflow's owner, from the moment a node takes the workflow up until the owner
 * stops.
 *
 * <p>{@link dev.tenure.workflow.owner.OwnerLoop} is a state machine. It is the same on a node,
 * where each owner is an actor, and in the testkit and the simulation, where one thread runs all
 * owners. {@link dev.tenure.workflow.owner.TransitionTable} says for each state and each input what
 * the loop does. The loop itself does no input or output: it asks its {@link
 * dev.tenure.workflow.owner.OwnerPort} to read the history, to write a commit, to wait, and is told
 * the result later. The {@link dev.tenure.workflow.owner.Decider} decides for the workflow.
 *
 * <pre>
 *                       take up
 *                          |
 *                          v          known to be fresh, or the history is read
 *    +--- pause is ---> RECOVERING ------------------------------------+
 *    |      over        ^   |   |                                      |
 *    |                  |   |   +- the history is damaged -+           v        a commit
 *    |      restart     |   |                              |   +---> READY --------------> COMMITTING
 *    |     (a value) ---+   |                              |   |    | ^ | ^                | |  |  |
 *    |                  |   | the store does not answer    |   |    | | | +- it stands:    | |  |  |
 *    |                  |   v                              |   |    | | |    effects, then | |  |  |
 *  PAUSING &lt;-----------(----+                              |   |    | | |    what waited &lt;-+ |  |  |
 *    ^   ^              |                                  |   |    | +-+ the next run of    |  |  |
 *    |   |              | read again                       v   |    |     the workflow       |  |  |
 *    |   |              +------------------------- UNREADABLE  |    |     (continue-as-new)  |  |  |
 *    |   |                        ^                            |    |                        |  |  |
 *    |   |                        +- it failed too often ------|----+                        |  |  |
 *    |   +--------- a failure, or the store does not answer ---+                             |  |  |
 *    +-------------- the commit was refused, is uncertain, or the journal is silent ---------+  |  |
 *                                                                                               |  |
 *    RECOVERING ---- no tenure, or the journal does not answer ----> LEAVING ---- stop ----> STOPPED
 *    any state ----- stop ----> STOPPED &lt;------- the journal has answered ---- STOPPING &lt;- stop -+  |
 *                                  ^------------------------- killed -------------------------------+
 * </pre>
 *
 * <p>Four rules hold in all states. A message is taken up, kept, answered or handed on; none is
 * dropped. Every wait has a limit, and beginning again is always safe, because commits are fenced.
 * Beginning again is a value ({@link dev.tenure.workflow.owner.Next.Restart}), not an exception.
 * And no loop is endless: restarts without a commit are counted and paused, failures without a
 * commit become an incident, and after as many again the workflow is treated as one whose history
 * cannot be read.
 *
 * <p>This package uses no other one. The types of messages, of stored commits and of snapshots are
 * parameters: the loop only hands such values on.
 */
package dev.tenure.workflow.owner;
