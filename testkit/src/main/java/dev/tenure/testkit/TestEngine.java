package dev.tenure.testkit;

import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.history.History;
import dev.tenure.workflow.ActivityDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The engine that a test runs on. In memory, the workflows have done all that they can do without
 * time passing when a call returns, and the clock moves when the test waits for a result.
 */
public interface TestEngine extends AutoCloseable {
  /** Starts and finds workflows, as an application does. */
  WorkflowClient workflows();

  // --- fakes

  /**
   * From now on, this runs instead of each step of that name, in all workflows.
   *
   * @param name as the code names it; for a step with a key, with or without {@code [key]}
   */
  void fakeStep(String name, StepFake fake);

  /** From now on, this runs instead of the activity's code. */
  <I, O> void fakeActivity(ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> fake);

  // --- time

  /** What workflows are told the time by. */
  Instant now();

  /** Lets time pass, and everything happen that is due by then. Only in memory. */
  void pass(Duration span);

  /**
   * Does this after what is under way: for fakes that want something of the engine. Only in memory.
   */
  void soon(Runnable task);

  // --- crashes

  /** The owner loses all that is in memory right after its commit number so many from now on. */
  void crashAfterCommit(int number);

  /** The owner loses all that is in memory after every commit by which something has moved on. */
  void crashAfterEveryCommit();

  /** How often it happened. */
  int crashes();

  // --- what is on record

  /** Whole, from the first commit on. */
  History history(String workflowId);

  /** Its steps and activities, in the order in which they were asked for. */
  List<StepRecord> steps(String workflowId);

  /**
   * Values that workflows wrote so far and that did not come back equal when they were read, each
   * with its name and its difference. A replay would go on with another value.
   */
  List<String> warnings();

  default List<StepRecord> steps(WorkflowHandle<?> workflow) {
    return steps(workflow.id().value());
  }

  default History history(WorkflowHandle<?> workflow) {
    return history(workflow.id().value());
  }

  Engine kind();

  @Override
  void close();
}
