package dev.tenure.examples.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.client.worker.Worker;
import dev.tenure.examples.node.Engine;
import dev.tenure.examples.workers.Greetings.Person;
import dev.tenure.sharding.client.WorkflowHandle;
import org.junit.jupiter.api.Test;

/** A worker in a process that runs no node. */
class JavaWorkerTest {
  @Test
  void aWorkerRunsWhatAWorkflowAskedFor() {
    try (Engine engine =
        Engine.start(
            node -> node.setting("tenure.http.access", "open").workflow(Greetings.class))) {
      WorkflowHandle<String> greeting =
          engine.workflows().start(Greetings::run, "greeting-1", new Person("Ada"));
      String server = engine.node().http().toString();
      try (Worker worker =
          Worker.builder()
              .url(server)
              .queue("greetings")
              .activity("greet", Person.class, (context, person) -> "Hello, " + person.name() + "!")
              .atOnce(20)
              .start()) {
        assertThat(greeting.result(Engine.SOON)).isEqualTo("Hello, Ada!");
      }
    }
  }
}
