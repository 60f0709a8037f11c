/**
 * The storage inside one process: it gives the values of a commit the meaning that the contract
 * says.
 */
package dev.tenure.persistence.memory;
