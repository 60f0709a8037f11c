/**
 * Runs workflows that are written as code: a class, a method, a context. The method runs on virtual
 * threads, one at a time, and gets recorded results; the owner may destroy the run at any time and
 * bring another one to the same point from the history. {@link
 * dev.tenure.sharding.code.CodeProgram} is such a run as its owner sees it.
 *
 * <p>This package may use {@code branch}, {@code context}, {@code payload}, {@code pool}, {@code
 * program} and {@code deployment}. It does not use owners.
 */
package dev.tenure.sharding.code;
