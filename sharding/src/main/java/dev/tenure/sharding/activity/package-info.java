/**
 * Activities that run on the owner's node: registered code, under limits of its own.
 *
 * <p>This package may use {@code branch}, {@code code} and {@code payload}. It knows no owner.
 */
package dev.tenure.sharding.activity;
