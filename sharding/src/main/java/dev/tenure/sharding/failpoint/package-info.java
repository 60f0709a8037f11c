/**
 * Names the places between two durable states at which a test ends or holds a process.
 *
 * <p>This package may use nothing else.
 */
package dev.tenure.sharding.failpoint;
