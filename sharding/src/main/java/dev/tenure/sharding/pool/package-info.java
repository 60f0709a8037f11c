/**
 * The threads of a node. Actors, the code of workflows and the answers to callers run on one {@link
 * dev.tenure.sharding.pool.TaskPool}: a task that makes another one runnable is followed by it on
 * the same thread, so that most of what a workflow does needs no thread to be woken. {@link
 * dev.tenure.sharding.pool.PoolWatch} looks for tasks that take long and brings threads in their
 * stead; {@link dev.tenure.sharding.pool.CodeThreads} are the virtual threads of the code; {@link
 * dev.tenure.sharding.pool.PoolExecutor} is how Pekko's dispatcher finds the pool.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.pool;
