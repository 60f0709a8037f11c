/**
 * Whether a store's histories are what was committed, and proofs of it that stand outside of it.
 */
package dev.tenure.persistence.proof;
