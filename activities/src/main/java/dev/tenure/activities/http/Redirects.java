package dev.tenure.activities.http;

import dev.tenure.activities.http.OutboundHttp.Outgoing;
import dev.tenure.activities.outbound.OutboundRefusedException;
import dev.tenure.activities.outbound.Target;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where a redirect leads. The target is checked like any other when it is connected to. */
final class Redirects {
  private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);

  private Redirects() {}

  /** Empty when the answer is no redirect that may be followed. */
  static Optional<Outgoing> next(Outgoing request, Reply reply) {
    boolean isWithoutEffect = request.method().equals("GET") || request.method().equals("HEAD");
    if (!isWithoutEffect || !STATUSES.contains(reply.status())) return Optional.empty();
    Optional<String> location = reply.headers().firstValue("Location");
    if (location.isEmpty()) return Optional.empty();
    Target target = Target.of(resolved(request.target(), location.get()));
    if (request.target().isSecure() && !target.isSecure())
      throw new OutboundRefusedException(
          "%s redirects from https to http.".formatted(request.target()));
    // The caller meant its headers for the first origin: some of them may be credentials.
    boolean isSameOrigin = target.origin().equals(request.target().origin());
    return Optional.of(
        new Outgoing(
            request.method(), target, isSameOrigin ? request.headers() : Map.of(), request.body()));
  }

  private static String resolved(Target from, String location) {
    try {
      return from.uri().resolve(new URI(location)).toString();
    } catch (URISyntaxException e) {
      throw new OutboundRefusedException("%s redirects to no valid URL.".formatted(from));
    }
  }
}
