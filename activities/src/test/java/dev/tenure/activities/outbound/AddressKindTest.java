package dev.tenure.activities.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses are public, and what the others are. */
class AddressKindTest {
  @ParameterizedTest
  @CsvSource({
    "8.8.8.8, PUBLIC",
    "9.255.255.255, PUBLIC",
    "11.0.0.0, PUBLIC",
    "172.15.255.255, PUBLIC",
    "172.32.0.0, PUBLIC",
    "223.255.255.255, PUBLIC",
    "0.0.0.0, UNSPECIFIED",
    "0.1.2.3, UNSPECIFIED",
    "10.0.0.1, PRIVATE",
    "172.16.0.1, PRIVATE",
    "172.31.255.255, PRIVATE",
    "192.168.255.255, PRIVATE",
    "100.64.0.0, SHARED",
    "100.127.255.255, SHARED",
    "100.63.255.255, PUBLIC",
    "100.128.0.0, PUBLIC",
    "100.100.100.200, METADATA",
    "168.63.129.16, METADATA",
    "192.0.0.192, METADATA",
    "127.0.0.1, LOOPBACK",
    "127.255.255.254, LOOPBACK",
    "169.254.169.254, LINK_LOCAL",
    "192.0.2.1, RESERVED",
    "198.18.0.1, RESERVED",
    "198.19.255.255, RESERVED",
    "198.51.100.1, RESERVED",
    "203.0.113.1, RESERVED",
    "192.88.99.1, TRANSLATED",
    "224.0.0.1, MULTICAST",
    "239.255.255.255, MULTICAST",
    "240.0.0.1, RESERVED",
    "255.255.255.255, MULTICAST",
    "2606:4700:4700::1111, PUBLIC",
    "::, UNSPECIFIED",
    "::1, LOOPBACK",
    "::7f00:1, TRANSLATED",
    "::ffff:0:127.0.0.1, RESERVED",
    "fc00::1, PRIVATE",
    "fd12:3456::1, PRIVATE",
    "fd00:ec2::254, METADATA",
    "fe80::1, LINK_LOCAL",
    "fec0::1, PRIVATE",
    "ff02::1, MULTICAST",
    "2001:0:1::1, TRANSLATED",
    "2001:2::1, RESERVED",
    "2001:db8::1, RESERVED",
    "2002:7f00:1::1, TRANSLATED",
    "2002:808:808::1, TRANSLATED",
    "64:ff9b::8.8.8.8, PUBLIC",
    "64:ff9b::10.0.0.1, TRANSLATED",
    "64:ff9b::169.254.169.254, TRANSLATED",
    "64:ff9b:1::8.8.8.8, TRANSLATED",
    "100::1, RESERVED",
    "3fff::1, RESERVED",
    "4000::1, RESERVED"
  })
  void eachAddressHasItsKind(String address, AddressKind kind) {
    assertThat(AddressKind.of(InetAddress.ofLiteral(address))).isEqualTo(kind);
  }

  @Test
  void anIpv4AddressThatIsWrittenAsAMappedOneIsTakenAsWhatItIs() {
    assertThat(AddressKind.of(InetAddress.ofLiteral("::ffff:127.0.0.1")))
        .isEqualTo(AddressKind.LOOPBACK);
  }

  @Test
  void aMappedAddressFromAResolverOfTheApplicationIsNotPublic() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    mapped[12] = 8;
    InetAddress address = Inet6Address.getByAddress("odd.test", mapped, 0);
    assertThat(AddressKind.of(address)).isEqualTo(AddressKind.RESERVED);
  }

  @Test
  void aRangeContainsWhatBeginsWithItsBits() {
    AddressRange range = AddressRange.of("10.32.0.0/11");
    assertThat(range.contains(InetAddress.ofLiteral("10.63.255.255").getAddress())).isTrue();
    assertThat(range.contains(InetAddress.ofLiteral("10.64.0.0").getAddress())).isFalse();
    assertThat(range.contains(InetAddress.ofLiteral("a20::").getAddress())).isFalse();
    assertThat(AddressRange.of("::/0").contains(InetAddress.ofLiteral("fe80::1").getAddress()))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.0/33", "10.0.0.1/8", "10/8", "::/129", "300.0.0.0/8", "fd00::g/8", "/8"})
  void aRangeThatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> AddressRange.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
