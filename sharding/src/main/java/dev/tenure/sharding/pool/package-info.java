/**
 * The threads of a node. Actors, the code of workflows and the answers to callers run on one {@link
 * dev.tenure.sharding.pool.TaskPool}. When a task makes another one runnable, the same thread runs
 * that next, so most of a workflow's work wakes no thread. {@link
 * dev.tenure.sharding.pool.PoolWatch} looks for tasks that take long and starts threads as
 * replacements; {@link dev.tenure.sharding.pool.CodeThreads} are the virtual threads of the code;
 * {@link dev.tenure.sharding.pool.PoolExecutor} is how Pekko's dispatcher finds the pool.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.pool;
