package dev.tenure.simulation.mutant;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Loads the simulation so that it notes which methods of the engine it calls. */
final class CallLoader extends EngineLoader {
  private static final String SIMULATION = "dev.tenure.simulation.";
  private static final ClassDesc CALLS = ClassDesc.of(ApiCalls.class.getName());
  private static final MethodTypeDesc NOTES =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  @Override
  byte[] rewrite(String name, byte[] bytes) {
    if (!name.startsWith(SIMULATION) || name.startsWith(SIMULATION + "mutant.")) return bytes;
    ClassFile classes = ClassFile.of();
    return classes.transformClass(
        classes.parse(bytes),
        ClassTransform.transformingMethodBodies(
            (code, element) -> {
              if (element instanceof InvokeInstruction call && isTheEngines(call))
                code.loadConstant(text(call)).invokestatic(CALLS, "made", NOTES);
              code.with(element);
            }));
  }

  private static boolean isTheEngines(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    return owner.startsWith("dev/tenure/") && !owner.startsWith("dev/tenure/simulation/");
  }

  /** Type, method and parameters. */
  private static String text(InvokeInstruction call) {
    return call.owner().asInternalName().replace('/', '.')
        + "#"
        + call.name().stringValue()
        + call.typeSymbol().descriptorString();
  }
}
