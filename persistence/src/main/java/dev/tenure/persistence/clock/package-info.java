/** The store's time, on nodes whose own clocks may be wrong. */
package dev.tenure.persistence.clock;
