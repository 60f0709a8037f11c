/**
 * Tests of workflows that take milliseconds: an engine in memory whose clock moves when everything
 * waits for it, steps that can be replaced, crashes where one wants them, and histories of the past
 * replayed against the code of today.
 */
package dev.tenure.testkit;
