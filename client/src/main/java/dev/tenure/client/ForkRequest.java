package dev.tenure.client;

import java.util.Optional;

/**
 * A new workflow that goes on where another one was just before one of its operations.
 *
 * @param from the operation that is run again; everything before it is copied
 * @param id of the new workflow; made up when empty
 * @param version of the code; the old workflow's when empty
 * @param idempotencyKey under which the same fork, sent again, is one
 */
public record ForkRequest(
    String from, Optional<String> id, Optional<Integer> version, Optional<String> idempotencyKey) {
  public static ForkRequest from(String operation) {
    return new ForkRequest(operation, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public ForkRequest id(String wanted) {
    return new ForkRequest(from, Optional.of(wanted), version, idempotencyKey);
  }

  public ForkRequest version(int number) {
    return new ForkRequest(from, id, Optional.of(number), idempotencyKey);
  }

  public ForkRequest idempotencyKey(String key) {
    return new ForkRequest(from, id, version, Optional.of(key));
  }
}
