package dev.tenure.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.command.remote.WorkflowCommand;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowModule;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplayHistoriesTest {
  @Workflow(name = "tea")
  public static class Tea {
    public String run(WorkflowContext ctx) {
      ctx.step("boil", () -> 100);
      return ctx.step("pour", () -> "tea");
    }
  }

  @Workflow(name = "tea")
  public static class ColdTea {
    public String run(WorkflowContext ctx) {
      ctx.step("cool", () -> 4);
      return ctx.step("pour", () -> "tea");
    }
  }

  /** Its runs go on as the other one, and are moved to it. */
  @Workflow(name = "kettle")
  public static class Kettle {
    public String run(WorkflowContext ctx, boolean again) {
      ctx.step("boil", () -> 100);
      ctx.awaitSignal("pour", Object.class);
      return again ? ctx.continueAsNew(false) : "tea";
    }
  }

  @Workflow(name = "kettle", version = 2)
  public static class NewKettle {
    public String run(WorkflowContext ctx, boolean again) {
      ctx.step("boil", () -> 100);
      ctx.stepAsync("whistle", StepOptions.DEFAULT, () -> "fi");
      ctx.awaitSignal("pour", Object.class);
      return "tea";
    }
  }

  public static class Kettles implements WorkflowModule {
    @Override
    public void register(Registry registry) {
      registry.workflow(Kettle.class).workflow(NewKettle.class);
    }
  }

  public static class Today implements WorkflowModule {
    @Override
    public void register(Registry registry) {
      registry.workflow(Tea.class);
    }
  }

  public static class Changed implements WorkflowModule {
    @Override
    public void register(Registry registry) {
      registry.workflow(ColdTea.class);
    }
  }

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Tea.class).module(new Kettles());

  @TempDir Path folder;
  private Path history;
  private final StringWriter said = new StringWriter();

  @BeforeEach
  void record() {
    TestEngine engine = tenure.engine();
    WorkflowHandle<String> tea = engine.workflows().start(Tea::run, "cup");
    tea.result();
    history = folder.resolve("cup.history");
    HistoryFile.write(engine.history(tea), history);
  }

  /** A JAR that names a module; its classes are on the class path already. */
  private Path jar(Class<? extends WorkflowModule> module) throws IOException {
    Path file = folder.resolve(module.getSimpleName() + ".jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + WorkflowModule.class.getName()));
      jar.write(module.getName().getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private int replay(Path jar) {
    return new CommandLine(new WorkflowCommand())
        .setOut(new PrintWriter(said))
        .execute("replay", "--jar", jar.toString(), history.toString());
  }

  @Test
  void aHistoryThatFitsIsSaidTo() throws IOException {
    assertThat(replay(jar(Today.class))).isZero();
    assertThat(said.toString()).contains("fits tea v1").contains("1 of 1 histories fit");
  }

  @Test
  void aRunIsReplayedAsTheVersionThatItIsNow() throws IOException {
    WorkflowClient workflows = tenure.engine().workflows();
    WorkflowHandle<String> moved = workflows.start(Kettle::run, "moved", false);
    workflows.async().moveToVersion(moved.id(), 2, "newer").toCompletableFuture().join();
    export(moved);
    assertThat(replay(jar(Kettles.class))).as(said.toString()).isZero();

    WorkflowHandle<String> next = workflows.start(Kettle::run, "next", true);
    next.signal("pour", 1);
    export(next);
    assertThat(replay(jar(Kettles.class))).as(said.toString()).isZero();
    assertThat(said.toString().lines().filter(line -> line.endsWith("fits kettle v2"))).hasSize(2);
  }

  private void export(WorkflowHandle<String> workflow) {
    HistoryFile.write(tenure.engine().history(workflow), history);
  }

  @Test
  void aDriftFailsAndIsToldWhole() throws IOException {
    assertThat(replay(jar(Changed.class))).isEqualTo(ExitCodes.FAILED);
    assertThat(said.toString())
        .contains("recorded: boil#1")
        .contains("new in the code: [cool#1]")
        .contains("0 of 1 histories fit");
  }
}
