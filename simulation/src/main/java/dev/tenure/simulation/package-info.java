/**
 * Owners, kernel and code as on any node, over a store, a network, leases and a clock in which
 * everything goes wrong that can, by the will of one seed. Checkers read along and afterwards.
 */
package dev.tenure.simulation;
