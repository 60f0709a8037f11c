package dev.tenure.node.command.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The reference of the command line is what the commands say of themselves. */
class CliReferenceTest {
  private static final Path BUILD = Path.of(System.getProperty("tenure.build"));

  @Test
  void itSaysWhatTheCommandsSay() throws IOException {
    Path page = BUILD.resolve("../../docs/reference/cli.md").normalize();
    String text = Files.readString(page);
    int generated = text.indexOf("## Exit codes");
    String wanted = exits() + commands();
    Files.writeString(BUILD.resolve("cli.md"), text.substring(0, Math.max(0, generated)) + wanted);
    assertThat(generated).as("the part of %s that is checked", page).isPositive();
    assertThat(text.substring(generated))
        .as("%s; as it should be: %s", page, BUILD.resolve("cli.md"))
        .isEqualTo(wanted);
  }

  private static String exits() {
    StringBuilder table =
        new StringBuilder(
            """
            ## Exit codes

            Of several workflows all are tried, and the code is that of the first failure.

            | code | meaning |
            | --- | --- |
            """);
    for (Exit exit : Exit.values()) {
      table.append("| %d | %s |\n".formatted(exit.code(), exit.meaning()));
    }
    return table.toString();
  }

  private static String commands() {
    StringBuilder all = new StringBuilder("\n## Commands\n");
    CommandLine workflow = Main.commandLine().getSubcommands().get("workflow");
    workflow.getSubcommands().values().forEach(each -> append(all, each));
    CommandLine incident = Main.commandLine().getSubcommands().get("incident");
    incident.getSubcommands().values().forEach(each -> append(all, each));
    append(all, Main.commandLine().getSubcommands().get("node").getSubcommands().get("list"));
    append(all, Main.commandLine().getSubcommands().get("verify"));
    append(
        all, Main.commandLine().getSubcommands().get("checkpoint").getSubcommands().get("create"));
    append(all, Main.commandLine().getSubcommands().get("proof"));
    return all.toString();
  }

  private static void append(StringBuilder all, CommandLine command) {
    command.setUsageHelpWidth(110);
    all.append("\n### %s\n\n```\n".formatted(command.getCommandSpec().qualifiedName()));
    all.append(command.getUsageMessage(CommandLine.Help.Ansi.OFF)).append("```\n");
  }
}
