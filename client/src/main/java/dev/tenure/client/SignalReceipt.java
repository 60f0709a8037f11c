package dev.tenure.client;

import java.time.Instant;

/**
 * Confirms that a signal is durable: the workflow gets it once, however often it was sent. The
 * receipt is the same for the first request and for every repetition of it.
 *
 * @param signalId the sender's, or the one that was made for this call
 * @param acceptedAt when it was accepted first
 */
public record SignalReceipt(
    String workflowId,
    String signalName,
    String signalId,
    Instant acceptedAt,
    String signalStorageKey) {
  static SignalReceipt of(Answer answer) {
    return new SignalReceipt(
        answer.text("workflowId"),
        answer.text("signalName"),
        answer.text("signalId"),
        answer.time("acceptedAt"),
        answer.text("signalStorageKey"));
  }
}
