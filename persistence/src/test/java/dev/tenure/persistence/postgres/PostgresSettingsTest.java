package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.StoreIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresSettingsTest {
  private static final String URL = "jdbc:postgresql://db:5432/tenure";

  @Test
  void passwordsAreNeverPrinted() {
    PostgresSettings settings =
        PostgresSettings.of(URL, "app", "s3cret-app").withMigration("owner", "s3cret-owner");
    assertThat(settings.toString()).contains(URL, "app", "owner").doesNotContain("s3cret");
    assertThat(settings.application().password()).isEqualTo("s3cret-app");
    assertThat(settings.migration().orElseThrow().password()).isEqualTo("s3cret-owner");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        URL + "?password=s3cret",
        URL + "?ssl=true&PassWord=s3cret",
        URL + "?user=app",
        URL + "?sslpassword=s3cret",
        "jdbc:postgresql://app:s3cret@db/tenure"
      })
  void aUrlWithASecretInItIsRefusedWithoutPrintingIt(String url) {
    assertThatThrownBy(() -> PostgresSettings.of(url, "app", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("separately")
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "jdbc:mysql://db/tenure", "postgresql://db/tenure", "db:5432"})
  void anotherDatabasesUrlIsRefused(String url) {
    assertThatThrownBy(() -> PostgresSettings.of(url, "app", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jdbc:postgresql:");
  }

  @Test
  void thePoolHasALeastAndAGreatestSize() {
    PostgresSettings settings = PostgresSettings.of(URL, "app", "");
    assertThat(settings.withPoolSize(3).poolSize()).isEqualTo(3);
    assertThat(settings.withPoolSize(PostgresSettings.MAX_POOL_SIZE).poolSize()).isEqualTo(1_000);
    for (int wrong : new int[] {0, -1, 2, PostgresSettings.MAX_POOL_SIZE + 1}) {
      assertThatThrownBy(() -> settings.withPoolSize(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Integer.toString(wrong))
          .hasMessageContaining("1000");
    }
  }

  @Test
  void theConnectionsOfAllPurposesAddUpToThePool() {
    for (int size : new int[] {3, 4, 5, 8, 9, 100}) {
      PostgresSettings settings = PostgresSettings.of(URL, "app", "").withPoolSize(size);
      int all = 0;
      for (ConnectionPurpose purpose : ConnectionPurpose.values()) {
        assertThat(purpose.connections(settings)).as("%s of %d", purpose, size).isPositive();
        all += purpose.connections(settings);
      }
      assertThat(all).isEqualTo(size + ConnectionPurpose.LEASE_CONNECTIONS);
    }
  }

  @Test
  void commitsLeaveConnectionsToTheRest() {
    PostgresSettings settings = PostgresSettings.of(URL, "app", "");
    assertThat(settings.withCommitConnections(6).commitConnections()).isEqualTo(6);
    for (int wrong : new int[] {0, -1, 7}) {
      assertThatThrownBy(() -> settings.withCommitConnections(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("from 1 to 6");
    }
  }

  @Test
  void theServersLimitsEndAStatementBeforeTheDriverGivesItUp() {
    for (ConnectionPurpose purpose : ConnectionPurpose.values()) {
      assertThat(purpose.lockLimit).as("%s", purpose).isLessThan(purpose.statementLimit);
      assertThat(purpose.statementLimit).as("%s", purpose).isLessThan(purpose.answerLimit);
    }
    assertThat(ConnectionPurpose.COMMITS.lockLimit).isLessThan(PostgresLeases.LOCK_LIMIT);
  }

  @Test
  void aUserMustBeNamed() {
    assertThatThrownBy(() -> PostgresSettings.of(URL, "", "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PostgresSettings.of(URL, "app", "").withMigration("", "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStoreHasALeastAndAGreatestNumberOfShards() {
    var mode = CheckpointOwnership.CAS_REQUIRED;
    assertThat(new StoreIdentity(mode, 1).shards()).isEqualTo(1);
    assertThat(new StoreIdentity(mode, 10_000).shards()).isEqualTo(10_000);
    for (int wrong : new int[] {0, -1, 10_001}) {
      assertThatThrownBy(() -> new StoreIdentity(mode, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Integer.toString(wrong))
          .hasMessageContaining("1 to 10000");
    }
  }
}
