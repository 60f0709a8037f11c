/** Small bugs that are written into the engine's own classes, each acting once in a while. */
package dev.tenure.simulation.mutant;
