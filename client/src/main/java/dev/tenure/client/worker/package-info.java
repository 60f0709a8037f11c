/**
 * Runs activities that wait in a queue, in a process of the application's own that reaches Tenure
 * over HTTP. Begin with {@link dev.tenure.client.worker.Worker}.
 */
package dev.tenure.client.worker;
