package dev.tenure.bench;

import dev.tenure.bench.activities.ActivitiesBench;
import dev.tenure.bench.commits.ActivationsBench;
import dev.tenure.bench.commits.CommitsBench;
import dev.tenure.bench.failover.FailoverBench;
import dev.tenure.bench.http.HttpBench;
import dev.tenure.bench.store.StoreBench;
import dev.tenure.bench.workflows.FanOutBench;
import dev.tenure.bench.workflows.PeersBench;
import dev.tenure.bench.workflows.RecoveryBench;
import dev.tenure.bench.workflows.RenewalsBench;
import dev.tenure.bench.workflows.SignalsBench;
import dev.tenure.bench.workflows.StartsBench;
import dev.tenure.bench.workflows.StepsBench;
import dev.tenure.bench.workflows.TimersBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./tenure bench …}: each benchmark measures its baseline in the same run. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {
      CommitsBench.class,
      ActivationsBench.class,
      StartsBench.class,
      StepsBench.class,
      SignalsBench.class,
      ActivitiesBench.class,
      RenewalsBench.class,
      TimersBench.class,
      FanOutBench.class,
      RecoveryBench.class,
      FailoverBench.class,
      HttpBench.class,
      PeersBench.class,
      StoreBench.class
    },
    description = "Measures against a durable PostgreSQL on this machine, baseline and all.")
public final class Bench {
  private Bench() {}

  /** All benchmarks, by their names. */
  public static CommandLine commands() {
    return new CommandLine(new Bench());
  }

  public static void main(String[] args) {
    System.exit(commands().execute(args));
  }
}
