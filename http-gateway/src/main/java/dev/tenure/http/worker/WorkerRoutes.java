package dev.tenure.http.worker;

import dev.tenure.http.api.Operation;
import dev.tenure.http.workflow.AnswerLimits;
import dev.tenure.http.workflow.Engine;
import java.util.ArrayList;
import java.util.List;

/** What workers in any language ask for, and what people see of their queues. */
public final class WorkerRoutes {
  private WorkerRoutes() {}

  public static List<Operation> of(Engine engine, AnswerLimits limits) {
    List<Operation> all = new ArrayList<>();
    all.add(new TakeOperation(engine, limits).take());
    all.addAll(new ReportOperations(engine).all());
    all.addAll(new QueueOperations(engine).all());
    return all;
  }
}
