package dev.tenure.simulation.mutant;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Loads the engine and the simulation afresh, with all mutants written in and asleep. */
final class MutantLoader extends EngineLoader {
  private final List<Mutant> mutants;
  private final Set<String> planted = new TreeSet<>();

  MutantLoader(List<Mutant> mutants) {
    this.mutants = mutants;
  }

  /** The mutants whose targets were found in classes that were loaded so far. */
  synchronized Set<String> planted() {
    return Set.copyOf(planted);
  }

  @Override
  byte[] rewrite(String name, byte[] bytes) {
    byte[] written = bytes;
    for (Mutant mutant : mutants)
      if (mutant.className().equals(name)) written = plant(mutant, written);
    return written;
  }

  private byte[] plant(Mutant mutant, byte[] bytes) {
    ClassFile classes = ClassFile.of();
    return classes.transformClass(
        classes.parse(bytes),
        (type, element) -> {
          if (element instanceof MethodModel method
              && mutant.isIn(method.methodName().stringValue()))
            type.transformMethod(
                method, MethodTransform.transformingCode(new Planting(mutant, method)));
          else type.with(element);
        });
  }

  private final class Planting implements CodeTransform {
    private final Mutant mutant;
    private final MethodModel method;

    Planting(Mutant mutant, MethodModel method) {
      this.mutant = mutant;
      this.method = method;
    }

    @Override
    public void atStart(CodeBuilder code) {
      if (!mutant.operator().begins()) return;
      mutant.operator().beginning(code, method.methodTypeSymbol().returnType(), mutant.name());
      found();
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      Operator operator = mutant.operator();
      if (element instanceof InvokeInstruction call
          && operator.changes(call)
          && call.name().equalsString(mutant.target())) {
        operator.call(code, call, mutant.name());
        found();
      } else if (element instanceof FieldInstruction put
          && operator.assigns()
          && put.opcode().name().startsWith("PUT")
          && put.name().equalsString(mutant.target())) {
        operator.assignment(code, put, mutant.name());
        found();
      } else code.with(element);
    }

    private void found() {
      synchronized (MutantLoader.this) {
        planted.add(mutant.name());
      }
    }
  }
}
