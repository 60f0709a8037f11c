/**
 * What an owner does once a commit stands. {@link dev.tenure.sharding.effect.EffectRunner} does it:
 * it starts activities, sets timers, sends the messages that {@link
 * dev.tenure.sharding.effect.Outbox} releases, and has {@link
 * dev.tenure.sharding.effect.PendingReplies} answer the clients that wait. {@link
 * dev.tenure.sharding.effect.Deliveries} says what the answer of another workflow means to the
 * sender. An effect may be done again after a crash.
 *
 * <p>This package may use {@code host}, {@code mailbox}, {@code message}, {@code activity} and
 * {@code commit}. It commits nothing: the result of an effect goes into the mailbox.
 */
package dev.tenure.sharding.effect;
