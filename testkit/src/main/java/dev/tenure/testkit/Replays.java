package dev.tenure.testkit;

import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.history.Replayer;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.WorkflowFactory;
import dev.tenure.workflow.WorkflowRegistration;
import java.nio.file.Path;

/** Histories of the past against the code of today. */
public final class Replays {
  private Replays() {}

  /**
   * Replays a history that was exported to a file; fails when the code would raise an incident.
   *
   * @param workflow a class with a public constructor without parameters
   */
  public static <W> void assertReplays(Path history, Class<W> workflow) {
    assertReplays(HistoryFile.read(history), workflow);
  }

  public static <W> void assertReplays(History history, Class<W> workflow) {
    assertReplays(history, workflow, WorkflowFactory.byConstructor(workflow));
  }

  public static <W> void assertReplays(
      History history, Class<W> workflow, WorkflowFactory<? extends W> factory) {
    assertReplays(history, workflow, factory, PayloadCodec.standard());
  }

  /** With values that are written and read as the application's nodes do it. */
  public static <W> void assertReplays(
      History history,
      Class<W> workflow,
      WorkflowFactory<? extends W> factory,
      PayloadCodec payloads) {
    switch (Replayer.replay(history, WorkflowRegistration.of(workflow, factory), payloads)) {
      case Replayer.Verdict.Fits fits -> {}
      case Replayer.Verdict.Drifted(String message) -> throw new AssertionError(message);
      case Replayer.Verdict.Failed(String message) -> throw new AssertionError(message);
    }
  }
}
