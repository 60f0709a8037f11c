package dev.tenure.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevProcessTest {
  private static final Duration SOON = Duration.ofSeconds(90);

  private final String nodePort = Integer.toString(NodeProcess.freePort());

  @TempDir Path folder;

  @AfterEach
  void stopWhatAFailedTestLeft() {
    postmaster().ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void aKilledNodeGoesOnWithItsDataAndASecondOneKeepsOut() throws Exception {
    ProcessHandle orphan;
    try (NodeProcess first = dev("--port", nodePort, "--http-port", "0")) {
      first.awaitReady();
      sql("CREATE TABLE kept AS SELECT 42 AS answer");
      try (NodeProcess second = dev("--http-port", "0")) {
        assertThat(second.awaitExit()).isEqualTo(1);
        assertThat(second.output()).contains("another development node is using");
      }
      orphan = postmaster().orElseThrow();
      first.kill();
      assertThat(orphan.isAlive()).as("its PostgreSQL was left running").isTrue();
    }
    try (NodeProcess again = dev("--port", nodePort, "--http-port", "0")) {
      URI address = again.awaitReady();
      assertThat(orphan.isAlive()).isFalse();
      sql("DO 'BEGIN ASSERT (SELECT answer FROM kept) = 42; END'");

      again.terminate();
      assertThat(again.awaitExit()).isZero();
      assertThat(postmaster()).isEmpty();
      assertThat(NodeProcess.get(address, "/health/live")).isEmpty();
    }
  }

  @Test
  void takenPortsGiveWayAndCtrlCStopsBothInOrder() throws IOException {
    List<Integer> wanted = List.of(7300, 7301);
    try (AutoCloseable http = occupy(wanted.get(0));
        AutoCloseable node = occupy(wanted.get(1));
        NodeProcess dev = dev()) {
      URI address = dev.awaitReady();

      assertThat(dev.output())
          .contains("tenure.http.port: port 7300 is taken, using " + address.getPort())
          .contains("tenure.node.port: port 7301 is taken, using ");
      dev.interruptGroup();
      assertThat(dev.awaitExit()).isZero();
      assertThat(dev.output()).doesNotContain("ERROR").doesNotContain("WARN");
      assertThat(postmaster()).isEmpty();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aPortThatWasAskedForIsNotReplaced() throws Exception {
    try (ServerSocket taken = new ServerSocket(0);
        NodeProcess dev = dev("--http-port", Integer.toString(taken.getLocalPort()))) {
      assertThat(dev.awaitExit()).isEqualTo(1);
      assertThat(dev.output()).contains("tenure.http.port", "TENURE_HTTP_PORT");
      assertThat(dev.output()).doesNotContain("\tat ");
      assertThat(data()).doesNotExist();
    }
  }

  @Test
  void anInterruptedFirstStartIsMadeUpFor() throws Exception {
    // What initdb leaves behind when it is killed: a folder that it would refuse to fill again.
    Files.createDirectories(data());
    Files.writeString(data().resolve("PG_VERSION"), "18\n");
    try (NodeProcess dev = dev("--port", nodePort, "--http-port", "0")) {
      dev.awaitReady();
      dev.terminate();
      assertThat(dev.awaitExit()).isZero();
    }
  }

  @Test
  void theSameLineAfterAKillGoesOnWithTheSameWorkflow() {
    String[] start = {
      "--port",
      nodePort,
      "--http-port",
      "0",
      "--start",
      "visit",
      "--id",
      "ada",
      "--input",
      "\"Ada\""
    };
    try (NodeProcess first = dev(start)) {
      Await.until("greeted", SOON, () -> first.output().contains("welcome, Ada"));
      Await.until("told", SOON, () -> first.output().contains("workflow \"ada\" was started"));
      // Whether the step's result is recorded by now is left to chance: it goes on in either case,
      // and may have ended before the line asks for it again.
      first.kill();
      assertThat(first.output()).doesNotContain("goodbye");
    }
    try (NodeProcess second = dev(start)) {
      Await.until("ended", SOON, () -> second.output().contains("has completed: Ada was here"));
      assertThat(second.output()).contains("was started before", "goodbye, Ada");
      second.terminate();
      assertThat(second.awaitExit()).isZero();
    }
  }

  @Test
  void whatCannotBeStartedIsRefusedBeforeAnythingIs() {
    try (NodeProcess unknown = dev("--start", "visits", "--input", "1")) {
      assertThat(unknown.awaitExit()).isEqualTo(2);
      assertThat(unknown.output()).contains("no workflow \"visits\"; this node has visit v1");
    }
    try (NodeProcess garbled = dev("--start", "visit", "--input", "Ada")) {
      assertThat(garbled.awaitExit()).isEqualTo(2);
      assertThat(garbled.output()).contains("--input is not JSON");
    }
    assertThat(folder.resolve(".tenure")).doesNotExist();
  }

  private NodeProcess dev(String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "dev";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return NodeProcess.start(folder, Map.of(), arguments);
  }

  /** Takes the port, unless somebody else has it already, which serves as well. */
  private static AutoCloseable occupy(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.bind(new java.net.InetSocketAddress("127.0.0.1", port));
      return socket;
    } catch (IOException e) {
      return () -> {};
    }
  }

  private Path data() {
    return folder.resolve(".tenure").resolve("postgres").resolve("data");
  }

  private Optional<ProcessHandle> postmaster() {
    try {
      Path file = data().resolve("postmaster.pid");
      if (!Files.exists(file)) return Optional.empty();
      return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void sql(String statement) throws SQLException, IOException {
    String port = Files.readString(folder.resolve(".tenure/postgres/port")).strip();
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/" + LocalPostgres.DATABASE;
    try (Connection c = DriverManager.getConnection(url, LocalPostgres.OWNER, "");
        Statement s = c.createStatement()) {
      s.execute(statement);
    }
  }
}
