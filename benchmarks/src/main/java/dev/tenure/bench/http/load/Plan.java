package dev.tenure.bench.http.load;

import java.util.List;

/**
 * What is to be sent.
 *
 * @param path with {@code #} where the request's number stands
 * @param count 0 for as many as there is time
 * @param perSecond 0 for as fast as answers come; otherwise each is sent at its own time, without
 *     waiting for answers
 * @param statuses that an answer may have; any other ends the load
 */
public record Plan(String path, String body, long count, double perSecond, List<Integer> statuses) {
  public static Plan of(String path, String body, Integer... statuses) {
    return new Plan(path, body, 0, 0, List.of(statuses));
  }

  public Plan times(long many) {
    return new Plan(path, body, many, perSecond, statuses);
  }

  public Plan at(double rate) {
    return new Plan(path, body, count, rate, statuses);
  }

  /** The number of a request as it stands in its path or body. */
  public static String padded(long number) {
    return Request.padded(number);
  }
}
