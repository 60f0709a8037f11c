package dev.tenure.http.schema;

/**
 * One thing that is wrong with a request.
 *
 * @param pointer where: a JSON pointer into the inputs of the operation
 */
public record FieldError(String pointer, String detail) {}
