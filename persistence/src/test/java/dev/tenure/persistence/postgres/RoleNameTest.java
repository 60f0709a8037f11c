package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoleNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"tenure_app", "_x", "Tenure-App", "svc@project.iam", "a$1", "user"})
  void anOrdinaryNameIsQuoted(String name) {
    assertThat(new RoleName(name).quoted()).isEqualTo("\"" + name + "\"");
  }

  @Test
  void aNameFitsUpToWhatPostgresKeeps() {
    assertThat(new RoleName("r".repeat(RoleName.MAX_BYTES)).value()).hasSize(63);
    assertThatThrownBy(() -> new RoleName("r".repeat(RoleName.MAX_BYTES + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 63");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1st",
        "a b",
        "a\"b",
        "x; DROP TABLE event_journal; --",
        "a'b",
        "${x}",
        "ä",
        "a\0",
        "public",
        "none",
        "pg_monitor",
        "a,public",
        "-"
      })
  void whatCouldMeanSomethingElseInSqlIsRefused(String name) {
    assertThatThrownBy(() -> new RoleName(name)).isInstanceOf(IllegalArgumentException.class);
  }
}
