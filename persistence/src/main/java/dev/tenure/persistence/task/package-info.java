/**
 * Calls of activities that wait for a worker in a queue, or are with one. Offered with the commit
 * that asks for them; taken, kept alive and completed by workers through any node.
 */
package dev.tenure.persistence.task;
