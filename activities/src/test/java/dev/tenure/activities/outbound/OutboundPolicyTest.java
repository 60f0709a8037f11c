package dev.tenure.activities.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundPolicyTest {
  private static final OutboundPolicy PUBLIC = OutboundPolicy.publicOnly();

  private static Resolver to(String... addresses) {
    return host -> Stream.of(addresses).map(InetAddress::ofLiteral).toList();
  }

  private static List<String> permitted(OutboundPolicy policy, String url, String... addresses) {
    try {
      return policy.permitted(Target.of(url), to(addresses)).stream()
          .map(InetAddress::getHostAddress)
          .toList();
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static void refused(OutboundPolicy policy, String url, String... addresses) {
    assertThatThrownBy(() -> permitted(policy, url, addresses))
        .isInstanceOf(OutboundRefusedException.class);
  }

  @Test
  void publicAddressesArePermittedByDefault() {
    assertThat(permitted(PUBLIC, "https://api.test/", "93.184.216.34")).hasSize(1);
    assertThat(permitted(PUBLIC, "https://8.8.8.8/")).containsExactly("8.8.8.8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://0.0.0.0/",
        "http://[::]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/latest/meta-data/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://metadata.google.internal/",
        "http://METADATA.google.internal./computeMetadata/v1/",
        "http://metadata/"
      })
  void whatIsInsideIsRefusedByDefault(String url) {
    refused(PUBLIC, url, "8.8.8.8");
  }

  @Test
  void aNameThatLeadsInsideIsRefused() {
    refused(PUBLIC, "http://innocent.test/", "192.168.1.1");
    refused(PUBLIC, "http://innocent.test/", "fd00::1", "169.254.169.254");
  }

  @Test
  void ofSeveralAddressesThoseInsideAreLeftOut() {
    assertThat(permitted(PUBLIC, "http://both.test/", "10.0.0.1", "8.8.8.8", "::1"))
        .containsExactly("8.8.8.8");
  }

  @Test
  void noMoreThanTheLimitAreTried() {
    assertThat(
            permitted(
                PUBLIC, "http://m.test/", "1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "1.1.1.5"))
        .hasSize(OutboundPolicy.ADDRESSES_MAX);
  }

  @Test
  void anAllowedRangeIsPermittedUnderAnyName() {
    OutboundPolicy policy = PUBLIC.allowing("10.1.0.0/16", "fd12::/16");
    assertThat(permitted(policy, "http://a.test/", "10.1.2.3")).hasSize(1);
    assertThat(permitted(policy, "http://[fd12::1]/")).hasSize(1);
    refused(policy, "http://a.test/", "10.2.0.1");
  }

  @Test
  void anAllowedNameMayLeadInside() {
    OutboundPolicy policy = PUBLIC.allowing("payments.internal", "*.svc.cluster.local");
    assertThat(permitted(policy, "http://Payments.Internal/", "10.2.0.1")).hasSize(1);
    assertThat(permitted(policy, "http://a.b.svc.cluster.local/", "10.2.0.1")).hasSize(1);
    refused(policy, "http://svc.cluster.local/", "10.2.0.1");
    refused(policy, "http://evilsvc.cluster.local/", "10.2.0.1");
    refused(policy, "http://xpayments.internal/", "10.2.0.1");
  }

  @Test
  void anAllowedNameDoesNotLeadToTheCredentialsOfTheMachine() {
    OutboundPolicy policy = PUBLIC.allowing("payments.internal", "*.internal");
    refused(policy, "http://payments.internal/", "169.254.169.254");
    refused(policy, "http://payments.internal/", "fd00:ec2::254");
    refused(policy, "http://metadata.google.internal/", "169.254.169.254");
  }

  @Test
  void anOperatorCanAllowEvenThoseByAddressAndName() {
    OutboundPolicy policy = PUBLIC.allowing("metadata.google.internal", "169.254.169.254");
    assertThat(permitted(policy, "http://metadata.google.internal/", "169.254.169.254")).hasSize(1);
  }

  @Test
  void aPolicyOfNothingPermitsOnlyWhatItNames() {
    OutboundPolicy policy = OutboundPolicy.nothing().allowing("api.test");
    assertThat(permitted(policy, "https://api.test/", "8.8.8.8")).hasSize(1);
    refused(policy, "https://other.test/", "8.8.8.8");
    refused(policy, "https://8.8.8.8/");
  }

  @Test
  void aHostWithoutAddressesIsUnknown() {
    assertThatThrownBy(() -> PUBLIC.permitted(Target.of("http://none.test/"), to()))
        .isInstanceOf(UnknownHostException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "", "*.", "a b", "host:80", "http://host", "-a.test", "a..b", "*a.b"})
  void whatIsNoHostCannotBeAllowed(String host) {
    assertThatThrownBy(() -> PUBLIC.allowing(host)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "file:///etc/passwd",
        "ftp://host/",
        "gopher://host/",
        "jar:http://host/!/",
        "//host/",
        "host/path",
        "http:host",
        "http:///path",
        "http://user@host/",
        "http://user:word@host/",
        "http://8.8.8.8@127.0.0.1/",
        "http://host:0/",
        "http://host:65536/",
        "http://host:99999999999/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/x y",
        "http://127.1/",
        "http://0x7f.0.0.0x1/",
        "http://127.0.0.1.1/",
        "http://ho_st/",
        "http://host\r\nX: y/",
        "http://host/a\r\nHost: other",
        "http://host/\u0000",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://пример.test/",
        "http://host\\@other/"
      })
  void aMalformedUrlIsRefused(String url) {
    assertThatThrownBy(() -> Target.of(url)).isInstanceOf(OutboundRefusedException.class);
  }

  @Test
  void aUrlThatIsTooLongIsRefused() {
    String url = "http://host/" + "a".repeat(Target.URL_CHARS_MAX);
    assertThatThrownBy(() -> Target.of(url))
        .isInstanceOf(OutboundRefusedException.class)
        .hasMessageContaining("8192");
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP://Host.Test:8080/a?b=c#d, http://Host.Test:8080/a?b=c, http://host.test:8080",
    "https://host.test., https://host.test./, https://host.test:443",
    "http://[::1]?q, http://[::1]/?q, http://[::1]:80",
    "https://host/ü, https://host/%C3%BC, https://host:443"
  })
  void aUrlIsTakenApart(String url, String uri, String origin) {
    Target target = Target.of(url);
    assertThat(target.uri()).hasToString(uri);
    assertThat(target.origin()).isEqualTo(origin);
    assertThat(target.toString()).doesNotContain("?");
  }
}
