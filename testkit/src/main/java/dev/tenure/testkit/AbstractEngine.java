package dev.tenure.testkit;

import dev.tenure.sharding.history.History;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityDefinition;
import java.util.List;

/** What is the same on each engine: fakes, crashes, and what is on record. */
abstract class AbstractEngine implements TestEngine {
  final Plan plan;
  final Fakes fakes = new Fakes();

  /** The plan's codec, which warns of values that do not come back equal. */
  final PayloadCodec codec;

  private final ValueWarnings warnings = new ValueWarnings();

  AbstractEngine(Plan plan) {
    this.plan = plan;
    this.codec = warnings.comparing(plan.codec());
  }

  /** The storage under the engine, which crashes owners. */
  abstract CrashingStorage storage();

  @Override
  public final void fakeStep(String name, StepFake fake) {
    fakes.step(name, fake);
  }

  @Override
  public final <I, O> void fakeActivity(
      ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> fake) {
    fakes.activity(definition.name(), fake);
  }

  @Override
  public final void crashAfterCommit(int number) {
    storage().after(number);
  }

  @Override
  public final void crashAfterEveryCommit() {
    storage().afterEach();
  }

  @Override
  public final int crashes() {
    return storage().crashes();
  }

  @Override
  public final History history(String workflowId) {
    return Histories.read(workflows(), workflowId);
  }

  @Override
  public final List<StepRecord> steps(String workflowId) {
    return StepRecord.of(history(workflowId).events(), plan.codec());
  }

  @Override
  public final List<String> warnings() {
    return warnings.all();
  }
}
