package dev.tenure.sharding.code;

import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.program.ProgramDefinition;
import dev.tenure.sharding.program.ProgramSource;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Workflows that are Java classes: those that were deployed on this node.
 *
 * @param cluster gives the code that the nodes have now
 * @param spinning gets the threads that were given up and keep computing
 */
public record CodePrograms(
    WorkflowTypes types,
    PayloadCodec codec,
    InstantSource clock,
    ExecutionGate gate,
    Interceptors interceptors,
    CodeThreads threads,
    Supplier<ClusterCode> cluster,
    Consumer<Thread> spinning)
    implements ProgramSource {
  @Override
  public ProgramKind kind() {
    return ProgramKind.CODE;
  }

  @Override
  public Finding find(WorkflowType type) {
    return types
        .find(type)
        .<Finding>map(code -> new Finding.Found(code.type(), definition(code)))
        .orElseGet(() -> new Finding.Missing(missing(type)));
  }

  @Override
  public Finding read(WorkflowType type) {
    return find(type);
  }

  private ProgramDefinition definition(WorkflowRegistration<?> code) {
    return (id, type, reports) ->
        new CodeProgram(
            new CodeSetting(
                code,
                id.value(),
                codec,
                clock,
                gate,
                interceptors,
                () -> next(type),
                threads,
                spinning),
            reports);
  }

  private static String missing(WorkflowType type) {
    return type.isDecided()
        ? "no-worker: the node that owns it does not have the code of " + type + "."
        : "no-worker: no node had code of %s when it was started without a version."
            .formatted(type.name());
  }

  /** The version of the run that a run of that type continues as; never an older one. */
  private int next(WorkflowType type) {
    return Math.max(type.version(), versionOfStart(type.name()).orElse(type.version()));
  }

  @Override
  public OptionalInt versionOfStart(String name) {
    return cluster.get().versionOfStart(name);
  }

  @Override
  public String whereIs(WorkflowType type) {
    return cluster.get().whereIs(type);
  }

  @Override
  public boolean mayHave(WorkflowType type) {
    return types.names().contains(type.name());
  }
}
