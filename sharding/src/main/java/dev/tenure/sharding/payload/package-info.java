/**
 * Values and exceptions as they are recorded. {@link dev.tenure.sharding.payload.PayloadCodec}
 * writes and reads values as JSON, encrypted where the application says so; {@link
 * dev.tenure.sharding.payload.Exceptions} does the same for exceptions. {@link
 * dev.tenure.sharding.payload.CodeFault} says why a record could not be read, or code not be run.
 *
 * <p>This package may use {@code program}, for its faults.
 */
package dev.tenure.sharding.payload;
