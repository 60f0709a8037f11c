/**
 * Runs workflows that are written as code: a class, a method, a context. The method runs on virtual
 * threads, one at a time, fed with what was recorded; it may be thrown away at any time and brought
 * back to the same point from the history.
 */
package dev.tenure.sharding.code;
