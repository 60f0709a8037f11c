package dev.tenure.http.api;

import dev.tenure.http.access.Caller;
import dev.tenure.http.access.Throttle;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.json.Json;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An operation that was asked for, with inputs that were found to be of their schemas.
 *
 * @param request whose part it is
 */
public record Call(Caller caller, Map<String, Json> inputs, UnderWay request) {
  /**
   * The request that brought it, until it is answered.
   *
   * @param connection on which it came
   * @param pass what it was let in with
   */
  public record UnderWay(Connection connection, Throttle.Pass pass) {}

  /** One that no client waits for. */
  public Call(Caller caller, Map<String, Json> inputs) {
    this(caller, inputs, new UnderWay(new Connection(), Throttle.Pass.NONE));
  }

  public Optional<Json> input(String name) {
    return Optional.ofNullable(inputs.get(name));
  }

  public Optional<String> text(String name) {
    return input(name).map(value -> ((Json.Text) value).value());
  }

  /** Of an input that is required. */
  public String textOf(String name) {
    return text(name).orElseThrow();
  }

  public Optional<Long> whole(String name) {
    return input(name).map(value -> Long.parseLong(((Json.Num) value).literal()));
  }

  public boolean flag(String name) {
    return input(name).map(value -> ((Json.Bool) value).value()).orElse(false);
  }

  public Optional<Instant> moment(String name) {
    return text(name).map(Instant::parse);
  }

  public Optional<Duration> span(String name) {
    return text(name).map(Duration::parse);
  }

  /** Exactly the bytes that came; null is no payload. */
  public Payload payload(String name) {
    return input(name)
        .filter(value -> !(value instanceof Json.Null))
        .map(value -> payload(name, value.at()))
        .orElse(Payload.NONE);
  }

  private static Payload payload(String name, Json.Slice at) {
    int size = at.end() - at.start();
    if (size > Limits.PAYLOAD_BYTES_MAX) {
      throw ApiFault.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The %s has %d bytes, more than PAYLOAD_BYTES_MAX = %d: keep it elsewhere and send a reference."
                  .formatted(name, size, Limits.PAYLOAD_BYTES_MAX))
          .with("limit", "PAYLOAD_BYTES_MAX");
    }
    return Payload.of(at.bytes());
  }

  /** A call with the fields of one of its inputs as inputs. */
  public Call within(String name) {
    return with(input(name).map(value -> ((Json.Obj) value).fields()).orElse(Map.of()));
  }

  /** For each object of an input that is a list, a call with its fields as inputs. */
  public List<Call> each(String name) {
    return input(name).map(value -> ((Json.Arr) value).items()).orElse(List.of()).stream()
        .map(item -> with(((Json.Obj) item).fields()))
        .toList();
  }

  private Call with(Map<String, Json> others) {
    return new Call(caller, others, request);
  }
}
