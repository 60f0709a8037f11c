package dev.tenure.examples.payment;

import dev.tenure.activities.http.HttpActivity;
import dev.tenure.activities.http.HttpCall;
import dev.tenure.activities.http.HttpResourceVerifier;
import dev.tenure.activities.http.HttpSettings;
import dev.tenure.activities.http.HttpVerifier;
import dev.tenure.activities.http.KeyedUrl;
import dev.tenure.activities.http.OutboundHttp;
import dev.tenure.activities.outbound.OutboundPolicy;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ResourceVerifier;
import java.time.Duration;
import java.util.function.Supplier;

/** Money that is taken by a provider, which is called over HTTP. */
public final class Payments {
  /** The provider recognises a repetition by the key. */
  public static final ActivityDefinition<Charge, Payment> CHARGE =
      ActivityDefinition.of("charge", Charge.class, Payment.class).asIdempotent();

  private Payments() {}

  /** Calls of the provider, and of nothing else inside or outside. */
  public static OutboundHttp http(String provider, String host, Supplier<String> token) {
    return new OutboundHttp(
        HttpSettings.of(OutboundPolicy.nothing().allowing(host))
            .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(20))
            .withHeaderFor(provider, "Authorization", () -> "Bearer " + token.get()));
  }

  public static ActivityCode<Charge, Payment> charging(OutboundHttp http, String provider) {
    return HttpActivity.code(
            CHARGE,
            http,
            charge -> HttpCall.post(provider + "/charges").withJson(charge),
            answer -> answer.as(Payment.class))
        .verifiedBy(
            HttpVerifier.of(
                http,
                KeyedUrl.template(provider + "/charges-by-key/{key}"),
                answer -> paid(answer.as(Payment.class))))
        .checkedBy(
            HttpResourceVerifier.<Charge, Payment>of(
                    http,
                    (charge, payment) -> provider + "/charges/" + KeyedUrl.encoded(payment.id()))
                .comparing("/state", Payment::state),
            ResourceVerifier.Mode.HUMAN_IN_LOOP);
  }

  /** A charge that is under way proves nothing yet. */
  private static Payment paid(Payment payment) {
    if (!payment.state().equals("paid"))
      throw new IllegalStateException("The charge is " + payment.state());
    return payment;
  }
}
