package dev.tenure.simulation;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A kind of program for simulated lives: graphs, with a {@link GraphModel} beside each. */
final class Graphs implements StoredKind {
  static final ProgramKind KIND = new ProgramKind("graphs");

  private final Map<String, Graph> drawn = new HashMap<>();
  private Map<String, GraphModel> models = new HashMap<>();

  private final boolean forgets;

  Graphs() {
    this(false);
  }

  /**
   * @param forgets whether a graph that goes on from a memory has lost an open node: a planted bug
   */
  Graphs(boolean forgets) {
    this.forgets = forgets;
  }

  /** How often a graph went on from what another remembered. */
  int resumed;

  /** How many commits were compared with what the model says of them. */
  int compared;

  @Override
  public ProgramKind kind() {
    return KIND;
  }

  @Override
  public Definition drawn(WorkflowType type, SplittableRandom random) {
    Definition definition = Graph.drawn(type, random);
    drawn.put(type.name(), Graph.read(definition));
    return definition;
  }

  @Override
  public Accounting accounting(String name) {
    return new Accounting.OfGraph(drawn.get(name).threshold());
  }

  @Override
  public Supplier<Program> read(Definition definition) {
    Graph graph = Graph.read(definition);
    return () -> new GraphProgram(graph, () -> resumed++, forgets);
  }

  @Override
  public void begins() {
    models = new HashMap<>();
    drawn.clear();
  }

  @Override
  public void committed(
      String id, WorkflowType type, List<Event> events, WorkflowState state, boolean inPortions) {
    models
        .computeIfAbsent(id, one -> new GraphModel(one, drawn.get(type.name()), inPortions))
        .commit(events, state);
    compared++;
  }
}
