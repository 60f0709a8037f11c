/**
 * Runs workflows that are written as code: a class, a method, a context. The method runs on virtual
 * threads, one at a time, fed with what was recorded; it may be thrown away at any time and brought
 * back to the same point from the history. {@link dev.tenure.sharding.code.CodeProgram} is such a
 * run as its owner sees it.
 *
 * <p>This package may use {@code branch}, {@code context}, {@code payload}, {@code pool}, {@code
 * program} and {@code deployment}. It does not use owners.
 */
package dev.tenure.sharding.code;
