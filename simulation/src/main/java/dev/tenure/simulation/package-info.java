/**
 * Owners, kernel and code as on any node, over a store, a network, leases and a clock that fail as
 * one seed says. Checkers read each commit, and all of them at the end.
 */
package dev.tenure.simulation;
