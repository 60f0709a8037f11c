package dev.tenure.http.workflow;

import dev.tenure.http.api.Operation;
import java.util.ArrayList;
import java.util.List;

/** Everything that can be asked about workflows. */
public final class WorkflowOperations {
  private WorkflowOperations() {}

  public static List<Operation> of(Engine engine) {
    return of(engine, AnswerLimits.DEFAULT);
  }

  public static List<Operation> of(Engine engine, AnswerLimits limits) {
    Claims claims = new Claims(engine);
    StartOperations starts = new StartOperations(engine, claims);
    SignalOperations signals = new SignalOperations(engine);
    ReadOperations reads = new ReadOperations(engine, limits);
    CodeOperations code = new CodeOperations(engine);
    List<Operation> all = new ArrayList<>();
    all.add(starts.start());
    all.add(signals.startOrSignal());
    all.add(reads.list());
    all.add(reads.get());
    all.add(reads.history());
    all.add(reads.result());
    all.add(signals.signal());
    all.add(code.query());
    all.add(code.update());
    all.addAll(new OrderOperations(engine).all());
    all.addAll(new RepairOperations(engine, claims).all());
    all.addAll(new ActivityOperations(engine, limits).all());
    all.addAll(new IncidentOperations(engine, limits).all());
    return all;
  }
}
