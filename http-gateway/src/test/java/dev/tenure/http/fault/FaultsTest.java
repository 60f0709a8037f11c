package dev.tenure.http.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Every error of the engine is in the table, or stands here with the reason why it need not be. */
class FaultsTest {
  /**
   * They cannot come out of a request: they end a node's start, are values of a workflow's own
   * code, or are broken invariants, which are masked.
   */
  private static final Set<String> NEVER_ANSWERED =
      Set.of(
          // A node's start.
          "AddressConflictError",
          "CheckpointOwnershipCapabilityError",
          "EngineTooOldError",
          "OwnershipModeMismatchError",
          "PersistedDataIncompatibleError",
          "SchemaNotReadyError",
          "TablesNotPlainError",
          "ShardCountMismatchError",
          "StorageNotDurableError",
          "StorageNotSupportedError",
          "StorageNotWritableError",
          "SecondShardedTypeError",
          "ActivityCapabilityError",
          // Thrown at a workflow's own code, or by it.
          "ActivityFailedException",
          "NoEffectException",
          "CancelledException",
          "ChildFailedException",
          "OperationTimedOutException",
          "StepFailedException",
          "UndeliverableException",
          "UpdateRejectedException",
          "WorkflowException",
          "WorkflowFailure",
          "ReadOnlyContextException",
          "WrongThreadException",
          // What the Java client makes of an answer.
          "SignalRefusedException",
          "WorkflowFailedException",
          // Inside an owner, whose asker is told to ask again.
          "CommitOutcomeUnknown",
          "CommitRejected",
          "FromNewerNode",
          "PipelineSaturatedError",
          "ReadTooLargeError",
          "SnapshotNotStored",
          "StalledException",
          "TenureLostError",
          // How a thread of workflow code leaves it; nobody else sees it.
          "ContinueAsNewUnwind",
          "WorkflowThreadStopped",
          // At a workflow's own code: an incident, or a query that failed.
          "CodeFault",
          "ProgramFault",
          // A document that is no program: its workflow is blocked, and the reason says why.
          "InvalidDefinitionException",
          "PayloadConversionException",
          // What an audit of a history finds; nobody asks for one from outside.
          "Violation",
          // The command line reads archives, checkpoints and proofs.
          "ArchiveError",
          "ProofError",
          // Broken invariants and damaged records: the log has more, the answer a number.
          "CorruptEntryError",
          "DamagedDefinitionError",
          "Damaged",
          "DamagedJournalError",
          "InvalidCommitError",
          "InvalidHistoryException",
          "MissingPayloadError",
          "PersistedEntryIncompatibleError",
          "SealedHistoryError",
          "BrokenChainError",
          "CollationError",
          "CorruptLedgerError",
          "ImpossibleHistoryError");

  private static Set<String> publicErrors() {
    Set<String> names = new TreeSet<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("fixtures"))
            .importPackages(
                "dev.tenure.workflow", "dev.tenure.persistence", "dev.tenure.sharding")) {
      boolean thrown = each.isAssignableTo(Throwable.class);
      if (thrown && isPublic(each) && !isAbstract(each)) names.add(each.getName());
    }
    return names;
  }

  private static boolean isPublic(JavaClass each) {
    return each.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC)
        && each.getEnclosingClass().map(FaultsTest::isPublic).orElse(true);
  }

  private static boolean isAbstract(JavaClass each) {
    return each.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT);
  }

  @Test
  void noErrorOfTheEngineIsForgotten() throws ReflectiveOperationException {
    Set<String> unmapped = new TreeSet<>();
    Set<String> seen = publicErrors();
    assertThat(seen).anyMatch(name -> name.endsWith("InvalidTextError"));
    for (String name : seen) {
      if (Faults.of(instance(name)).isEmpty()) unmapped.add(name.replaceAll(".*[.$]", ""));
    }
    assertThat(unmapped).isSubsetOf(NEVER_ANSWERED);
  }

  /** Without a constructor, for they are not for everybody; what they say does not matter here. */
  private static Throwable instance(String name) throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field theOne = unsafe.getDeclaredField("theUnsafe");
    theOne.setAccessible(true);
    Class<?> wanted = Class.forName(name);
    Object error =
        unsafe.getMethod("allocateInstance", Class.class).invoke(theOne.get(null), wanted);
    for (Field field : wanted.getDeclaredFields()) {
      if (field.getType() != Status.class) continue;
      field.setAccessible(true);
      field.set(error, Status.COMPLETED);
    }
    return (Throwable) error;
  }

  @Test
  void anErrorNobodyKnowsIsMasked() {
    assertThat(Faults.of(new IllegalStateException("secret"))).isEmpty();
    assertThat(Faults.of(new CompletionException(new NullPointerException()))).isEmpty();
  }

  @Test
  void everyResultOfASignalIsAnAnswerOrAFault() {
    WorkflowId id = WorkflowId.of("w");
    List<SignalResult> refusals =
        List.of(
            new SignalResult.UnknownWorkflow(id),
            new SignalResult.Closed(id),
            new SignalResult.Indeterminate(id, "n", "s"),
            new SignalResult.InboxFull(id, 1),
            new SignalResult.InvalidSignal("why"));
    for (SignalResult refusal : refusals) {
      assertThat(Faults.of(refusal, () -> "c")).as(refusal.toString()).isPresent();
    }
    assertThat(SignalResult.class.getPermittedSubclasses()).hasSize(refusals.size() + 2);
  }

  @Test
  void theCodesOfTheContractStand() {
    assertThat(ErrorCode.WORKFLOW_NOT_FOUND.rpcCode()).isEqualTo(-32020);
    assertThat(ErrorCode.SIGNAL_ACCEPTANCE_INDETERMINATE.rpcCode()).isEqualTo(-32021);
    assertThat(ErrorCode.LIMIT_EXCEEDED.rpcCode()).isEqualTo(-32022);
    assertThat(ErrorCode.RESULT_TIMEOUT.rpcCode()).isEqualTo(-32023);
    assertThat(ErrorCode.PAYLOAD_TOO_LARGE.rpcCode()).isEqualTo(-32024);
    assertThat(ErrorCode.NOT_IMPLEMENTED.rpcCode()).isEqualTo(-32025);
    assertThat(ErrorCode.UNAUTHORIZED.rpcCode()).isEqualTo(-32010);
    assertThat(ErrorCode.FORBIDDEN.rpcCode()).isEqualTo(-32011);
    assertThat(ErrorCode.INVALID_REQUEST.rpcCode()).isEqualTo(-32602);
    assertThat(ErrorCode.NO_SUCH_ROUTE.rpcCode()).isEqualTo(-32601);
    assertThat(ErrorCode.ENGINE_FAILURE.rpcCode()).isEqualTo(-32099);
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::code)).doesNotHaveDuplicates();
    assertThat(ErrorCode.WORKFLOW_NOT_FOUND.type())
        .isEqualTo("urn:tenure:error:workflow-not-found");
  }
}
