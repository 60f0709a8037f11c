package dev.tenure.bench.activities;

import dev.tenure.client.RetryPolicy;
import dev.tenure.client.TaskClient;
import dev.tenure.client.TenureClient;
import dev.tenure.client.worker.Worker;
import dev.tenure.client.worker.WorkerBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of the workers: it takes tasks until its standard input ends. Workers share clients,
 * one for each credential, as an application would.
 */
public final class WorkerMain {
  private WorkerMain() {}

  /**
   * @param args the server, a queue, how many workers, how many tasks each has at once, what the
   *     activities are called (separated by commas), and the credentials
   */
  public static void main(String[] args) throws IOException {
    List<TenureClient> clients = new ArrayList<>();
    for (int i = 5; i < args.length; i++)
      clients.add(TenureClient.to(args[0]).credential(args[i]).retries(RetryPolicy.NONE).build());
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      WorkerBuilder builder =
          Worker.builder()
              .client(clients.get(i % clients.size()))
              .queue(args[1])
              .name("worker-" + i)
              .pollWait(TaskClient.WAIT_MAX)
              .atOnce(Integer.parseInt(args[3]));
      for (String activity : args[4].split(","))
        builder.activity(activity, Integer.class, (context, number) -> number);
      workers.add(builder.start());
    }
    System.out.println("workers wait for tasks");
    while (System.in.read() >= 0) {}
    workers.parallelStream().forEach(Worker::close);
    clients.forEach(TenureClient::close);
  }
}
