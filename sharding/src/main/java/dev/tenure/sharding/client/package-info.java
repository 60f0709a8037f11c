/** Workflows as an application uses them: typed, and blocking, as virtual threads like it. */
package dev.tenure.sharding.client;
