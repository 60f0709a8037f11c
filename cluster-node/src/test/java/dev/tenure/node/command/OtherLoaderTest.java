package dev.tenure.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.command.remote.WorkflowCommand;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.testkit.Engine;
import dev.tenure.testkit.OnEngines;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A workflow whose classes only its own loader knows, as in a JAR for the tool or a fat JAR. */
class OtherLoaderTest {
  @TempDir static Path folder;

  private static final String RESULT = "true own own own none left";
  private static Path jar;
  private static Class<?> shipping;

  /** Before the extension asks for it. */
  private static synchronized Class<?> shipping() {
    if (shipping == null) {
      try {
        jar = ElsewhereJar.in(Files.createTempDirectory("elsewhere"));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      shipping = ElsewhereJar.load(jar);
    }
    return shipping;
  }

  @RegisterExtension final TenureExtension tenure = TenureExtension.with(shipping());

  private static WorkflowHandle<String> start(TestEngine engine) {
    WorkflowClient workflows = engine.workflows();
    return workflows.start(
        workflows.request("shipping", "parcel", Map.of("number", 7)), String.class);
  }

  @OnEngines({Engine.IN_MEMORY, Engine.NODE})
  void itsCodeRunsAndIsReplayedWithItsLoader(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<String> parcel = start(engine);
    parcel.signal("go", "now");
    assertThat(parcel.result()).isEqualTo(RESULT);
    assertThat(engine.crashes()).isPositive();
  }

  @Test
  void theToolReplaysItFromItsJar(TestEngine engine) {
    WorkflowHandle<String> parcel = start(engine);
    parcel.signal("go", "now");
    assertThat(parcel.result()).isEqualTo(RESULT);
    Path history = folder.resolve("parcel.history");
    HistoryFile.write(engine.history(parcel), history);

    StringWriter said = new StringWriter();
    int status =
        new CommandLine(new WorkflowCommand())
            .setOut(new PrintWriter(said))
            .execute("replay", "--jar", jar.toString(), history.toString());
    assertThat(said.toString()).contains("1 of 1 histories fit");
    assertThat(status).isZero();
  }
}
