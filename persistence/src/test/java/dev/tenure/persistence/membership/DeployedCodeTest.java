package dev.tenure.persistence.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.membership.DeployedCode.Versions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a node says that it can run. */
class DeployedCodeTest {
  static final DeployedCode SHOP =
      new DeployedCode(
          new TreeMap<>(
              Map.of(
                  "shop",
                  new Versions(new TreeSet<>(List.of(2, 3)), new TreeSet<>(List.of(1))),
                  "nul \0 and \"quote\"",
                  new Versions(new TreeSet<>(List.of(1)), new TreeSet<>()))),
          new TreeSet<>(List.of("pay", "ship")),
          new TreeSet<>(List.of("lists")));

  @Test
  void whatIsStoredIsReadAgain() {
    assertThat(DeployedCode.ofJson(SHOP.toJson())).isEqualTo(SHOP);
    assertThat(DeployedCode.ofJson(DeployedCode.NONE.toJson())).isEqualTo(DeployedCode.NONE);
    assertThat(DeployedCode.NONE.toJson()).isEqualTo("{\"workflows\":{}}");
  }

  @Test
  void whatALaterEngineAddsIsPassedOver() {
    assertThat(
            DeployedCode.ofJson(
                "{\"workflows\":{\"a\":{\"versions\":[1],\"more\":{}}},\"graphs\":[\"g\"]}"))
        .isEqualTo(
            new DeployedCode(
                new TreeMap<>(
                    Map.of("a", new Versions(new TreeSet<>(List.of(1)), new TreeSet<>()))),
                new TreeSet<>()));
    assertThatThrownBy(() -> DeployedCode.ofJson("shop 2")).hasMessageContaining("shop 2");
  }

  @Test
  void compatibleVersionsRunToo() {
    assertThat(SHOP.runs("shop", 1)).isTrue();
    assertThat(SHOP.runs("shop", 3)).isTrue();
    assertThat(SHOP.runs("shop", 4)).isFalse();
    assertThat(SHOP.runs("bank", 1)).isFalse();
    assertThat(SHOP.doesAllOf(DeployedCode.NONE)).isTrue();
    assertThat(SHOP.doesAllOf(SHOP)).isTrue();
    assertThat(DeployedCode.NONE.doesAllOf(SHOP)).isFalse();
    assertThat(SHOP.doesAllOf(new DeployedCode(new TreeMap<>(), new TreeSet<>(List.of("fly")))))
        .isFalse();
    DeployedCode codeOnly = new DeployedCode(SHOP.workflows(), SHOP.activities());
    assertThat(codeOnly.doesAllOf(SHOP)).as("without its kind").isFalse();
    assertThat(SHOP.doesAllOf(codeOnly)).isTrue();
  }
}
