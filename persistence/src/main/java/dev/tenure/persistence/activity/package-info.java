/**
 * What is known of each keyed call of an activity: claimed before it goes out, and how it came out.
 * The record is the claim, the effect store and the ledger in one.
 */
package dev.tenure.persistence.activity;
