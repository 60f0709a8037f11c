/** What a store says about its own past ({@link dev.tenure.persistence.loss.Losses}). */
package dev.tenure.persistence.loss;
