package dev.tenure.simulation;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What of the interface the simulated workflows and their clients do not call, and why. */
final class NotCalled {
  private static final String BY_THE_ENGINE = "the engine calls it";
  private static final String SHORT = "it leads to a form that is called";
  private static final String NO_TRACES = "simulated workflows are in no trace";
  private static final String OTHER_CODE =
      "the simulated code is one method, with input and result";

  static final Map<String, String> TYPES = new TreeMap<>();

  static final Map<String, String> METHODS = new TreeMap<>();

  static {
    excepts(
        TYPES,
        BY_THE_ENGINE,
        "ActivityDefinition$Body",
        "ItemBody",
        "Branch",
        "CancellationScope$Body",
        "Payload$Source",
        "RunMethod",
        "RunMethod$Only",
        "RunMethod$Plain",
        "RunMethod$WithInput",
        "RunMethod$WithInputOnly",
        "Saga$Body",
        "Saga$Compensation",
        "StepAction",
        "Text",
        "UpdateHandler",
        "UpdateHandler$Validator",
        "Workflow",
        "WorkflowFactory",
        "WorkflowRegistration");
    excepts(TYPES, "a value that the engine makes and reads", "Failure");
    excepts(TYPES, "what reads the store uses it", "Admitted");
    excepts(
        TYPES, "nothing is encrypted in the simulated store", "AesPayloadCipher", "PayloadCipher");
    excepts(TYPES, "code has it as the context's random()", "SeededRandom");
    excepts(TYPES, "tests of their own have interceptors", "StepInterceptor");
    excepts(TYPES, NO_TRACES, "Trace");
    excepts(
        TYPES,
        BY_THE_ENGINE,
        "ActivityDefinition$Undo",
        "ActivityRouting",
        "Verifier",
        "ResourceVerifier");
    excepts(
        METHODS,
        "the code of an activity takes no time, so two calls never run at once",
        "ActivityCode.atOnce(int)");
    excepts(METHODS, BY_THE_ENGINE, "Verifier$Verdict.evidence()");
    excepts(
        METHODS,
        "what is to be done to many is kept by the HTTP API, which is not simulated",
        "Workflows.received(Payload)");
    excepts(
        TYPES,
        "modules come with a node, which is not simulated",
        "WorkflowModule",
        "WorkflowModule$Registry");
    excepts(
        METHODS,
        BY_THE_ENGINE,
        "Attribute.requireNames(Map)",
        "Payload.elsewhere(int,String,String,Source)",
        "Payload.inRecord(byte[])",
        "Payload.isInRecord()",
        "Payload.isNone()",
        "Payload.keptBy()",
        "Payload.size()",
        "RetryPolicy.allowsAfter(int,Failure)",
        "RetryPolicy.delayAfter(int,double)",
        "Timeouts.requireSpan(String,Duration)",
        "WorkflowType.isDecided()",
        "WorkflowType.requireVersion(String,int)",
        "TypeRef.ofType(Type)",
        "TypeRef.type()");
    excepts(
        METHODS,
        SHORT,
        "ActivityDefinition.of(String,TypeRef,TypeRef)",
        "ChildCall.to(Class,Class)",
        "ChildCall.to(String,Class)",
        "QueryDefinition.of(String,Class,Class)",
        "QueryDefinition.of(String,TypeRef)",
        "QueryDefinition.of(String,TypeRef,TypeRef)",
        "TypeRef.of(Class)",
        "UpdateDefinition.of(String,TypeRef,TypeRef)",
        "WorkflowChildren.child(Class,String,Object,Class)",
        "WorkflowChildren.child(String,String,Object,Class)",
        "WorkflowChildren.child(WithInput,String,Object)",
        "WorkflowChildren.childAsync(WithInput,String,Object)",
        "WorkflowContext.continueAsNew(RunMethod,Object)",
        "WorkflowContext.shielded(StepAction)",
        "WorkflowContext.step(String,TypeRef,StepBody)",
        "WorkflowContext.stepAsync(String,TypeRef,StepBody)",
        "Workflows.conclude(WorkflowId,OperationId,Outcome,String)",
        "WorkflowHandlers.onQuery(QueryDefinition,Function)",
        "WorkflowHandlers.onQuery(String,TypeRef,Function)",
        "WorkflowHandlers.onUpdate(String,Class,UpdateHandler)",
        "WorkflowHandlers.onUpdate(String,TypeRef,UpdateHandler)",
        "WorkflowHandlers.onUpdate(String,TypeRef,Validator,UpdateHandler)",
        "WorkflowHandlers.onUpdate(UpdateDefinition,Validator,UpdateHandler)",
        "Saga.activity(ActivityDefinition,Object)",
        "Saga.step(String,StepOptions,StepBody,StepOptions,Compensation)",
        "Saga.step(String,TypeRef,StepOptions,StepBody,StepOptions,Compensation)",
        "Saga.stepUndoneEvenIfFailed(String,StepOptions,StepBody,StepOptions,Compensation)",
        "Timeouts.attempt(Duration)",
        "Timeouts.total(Duration)");
    excepts(
        METHODS,
        OTHER_CODE,
        "ChildCall.to(Only)",
        "ChildCall.to(Plain)",
        "ChildCall.to(WithInputOnly,Object)",
        "WorkflowChildren.child(Only,String)",
        "WorkflowChildren.child(Plain,String)",
        "WorkflowChildren.child(WithInputOnly,String,Object)",
        "WorkflowChildren.childAsync(Only,String)",
        "WorkflowChildren.childAsync(Plain,String)",
        "WorkflowChildren.childAsync(WithInputOnly,String,Object)",
        "WorkflowContext.continueAsNew(WithInputOnly,Object)");
    excepts(
        METHODS,
        NO_TRACES,
        "ActivityContext.trace()",
        "StartRequest.trace(Trace)",
        "Workflows.signal(WorkflowId,String,SignalContent,Optional)");
    excepts(METHODS, "an activity takes no time", "ActivityContext.deadline()");
    excepts(METHODS, "children are named by their place", "ChildCall.key(String)");
    excepts(METHODS, "a fork is of the version that it comes from", "ForkRequest.version(int)");
    excepts(
        METHODS, "simulated workflows are code", "StartRequest.program(ProgramKind,Accounting)");
    excepts(METHODS, "what it writes is not stored", "WorkflowContext.logger()");
    excepts(METHODS, "simulated runs are short", "WorkflowInfo.continueAsNewSuggested()");
    excepts(
        METHODS,
        "people wait for the newest run",
        "Workflows.result(WorkflowId,Optional,Duration)");
  }

  private NotCalled() {}

  private static void excepts(Map<String, String> from, String why, String... names) {
    Arrays.stream(names).forEach(name -> from.put(name, why));
  }
}
