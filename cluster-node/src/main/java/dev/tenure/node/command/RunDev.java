package dev.tenure.node.command;

import dev.tenure.node.NodeBuilder;
import dev.tenure.node.TenureNode;
import dev.tenure.node.dev.DevFolder;
import dev.tenure.node.dev.DevSettings;
import dev.tenure.node.lifetime.Lifetime;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.sharding.payload.PayloadCodec;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tenure dev}: one node with a PostgreSQL of its own, for trying things out. */
@Command(
    name = "dev",
    mixinStandardHelpOptions = true,
    description = {
      "A node with its own durable PostgreSQL, for development.",
      "Its data stays in a folder; the next start goes on with it. Ctrl-C stops both."
    })
public final class RunDev implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ".tenure",
      description = "Where the data is kept (default: ${DEFAULT-VALUE}).")
  private Path data;

  @Option(names = "--port", paramLabel = "N", description = "The port for other nodes.")
  private Integer port;

  @Option(names = "--http-port", paramLabel = "N", description = "The port for HTTP.")
  private Integer httpPort;

  @ArgGroup(exclusive = false)
  private FirstStart start;

  @Spec private CommandSpec spec;

  private static final Logger log = LoggerFactory.getLogger(RunDev.class);

  @Override
  public Integer call() {
    // One node meets no other: the cluster's log lines would only hide what matters.
    if (System.getProperty("tenure.cluster-log-level") == null) {
      System.setProperty("tenure.cluster-log-level", "WARN");
    }
    PayloadCodec comparing = PayloadCodec.standard().comparing(value -> log.warn("{}", value));
    NodeBuilder builder = TenureNode.builder().modulesOnClassPath().payloads(comparing);
    if (start != null) start.check(builder.catalog());
    PrintWriter out = spec.commandLine().getOut();
    Lifetime lifetime = new Lifetime();
    lifetime.stopOnSignal();
    try {
      DevFolder folder = lifetime.start(() -> DevFolder.open(data));
      DevSettings settings =
          DevSettings.of(given(port), given(httpPort), folder.path(), System.getenv());
      settings.remarks().forEach(out::println);
      out.printf("starting PostgreSQL in %s …%n", folder.path());
      out.flush();
      LocalPostgres postgres = lifetime.start(folder::startPostgres);
      RunningNode running = RunningNode.start(lifetime, builder.config(settings.on(postgres)));
      running
          .node()
          .up()
          .thenRun(
              () -> {
                announce(out, running, folder, postgres);
                if (start != null) Thread.startVirtualThread(() -> start.run(running.node(), out));
              });
      return running.untilItEnds();
    } catch (RuntimeException e) {
      lifetime.stop();
      throw e;
    }
  }

  private static OptionalInt given(Integer option) {
    return option == null ? OptionalInt.empty() : OptionalInt.of(option);
  }

  private static void announce(
      PrintWriter out, RunningNode running, DevFolder folder, LocalPostgres postgres) {
    out.printf(
        """

        Tenure is ready.
          runs      %s
          API       %s/api/v1, described at %s/docs
          health    %s/health/ready
          database  %s (user %s, no password)
          data      %s
        Stop it with Ctrl-C; the next start goes on with the same data.
        %n\
        """,
        running.node().catalog(),
        running.node().http(),
        running.node().http(),
        running.node().http(),
        postgres.url(),
        LocalPostgres.APPLICATION,
        folder.path());
    out.flush();
  }
}
