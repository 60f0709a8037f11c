/**
 * Notices that a store has lost what it had acknowledged, as after a fail-over to a standby that
 * lacked the last transactions ({@link dev.tenure.persistence.watch.LossWatch}).
 */
package dev.tenure.persistence.watch;
