package dev.tenure.simulation.mutant;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** What a mutant does to the instructions that it names, when it strikes. */
enum Operator {
  /** The call does not happen; its result is 0, false or null. */
  SKIPS_CALL {
    @Override
    void call(CodeBuilder code, InvokeInstruction call, String mutant) {
      strikes(code, mutant);
      code.ifThenElse(
          then -> {
            pops(then, call);
            pushesNothing(then, call.typeSymbol().returnType());
          },
          otherwise -> otherwise.with(call));
    }
  },
  /** The call returns the opposite. */
  NEGATES_CALL {
    @Override
    void call(CodeBuilder code, InvokeInstruction call, String mutant) {
      code.with(call);
      strikes(code, mutant);
      code.ixor();
    }
  },
  /** A static call returns its first argument as it came. */
  RETURNS_ARGUMENT {
    @Override
    boolean changes(InvokeInstruction call) {
      return call.opcode() == Opcode.INVOKESTATIC;
    }

    @Override
    void call(CodeBuilder code, InvokeInstruction call, String mutant) {
      strikes(code, mutant);
      code.ifThenElse(
          then -> {
            List<ClassDesc> arguments = call.typeSymbol().parameterList();
            for (int i = arguments.size() - 1; i > 0; i--) pop(then, arguments.get(i));
          },
          otherwise -> otherwise.with(call));
    }
  },
  /** The last of a deque is taken where the first was meant. */
  TAKES_LAST {
    @Override
    void call(CodeBuilder code, InvokeInstruction call, String mutant) {
      strikes(code, mutant);
      code.ifThenElse(
          then ->
              then.invokeinterface(
                  call.owner().asSymbol(), call.name().stringValue() + "Last", call.typeSymbol()),
          otherwise -> otherwise.with(call));
    }
  },
  /** The field keeps what it had. */
  SKIPS_ASSIGNMENT {
    @Override
    boolean assigns() {
      return true;
    }

    @Override
    void assignment(CodeBuilder code, FieldInstruction put, String mutant) {
      strikes(code, mutant);
      code.ifThenElse(
          then -> {
            pop(then, put.typeSymbol());
            if (put.opcode() == Opcode.PUTFIELD) then.pop();
          },
          otherwise -> otherwise.with(put));
    }
  },
  /** The method returns at once: 0, false or null. */
  RETURNS_AT_ONCE {
    @Override
    boolean begins() {
      return true;
    }

    @Override
    void beginning(CodeBuilder code, ClassDesc returned, String mutant) {
      strikes(code, mutant);
      code.ifThen(
          then -> {
            pushesNothing(then, returned);
            then.return_(TypeKind.from(returned));
          });
    }
  };

  private static final ClassDesc STRIKES = ClassDesc.of(Strikes.class.getName());
  private static final MethodTypeDesc ASKS =
      MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_String);

  /** Whether it can change that call. */
  boolean changes(InvokeInstruction call) {
    return !assigns() && !begins();
  }

  /** Whether it changes assignments to a field, instead of calls. */
  boolean assigns() {
    return false;
  }

  /** Whether it changes the beginning of a method, instead of calls. */
  boolean begins() {
    return false;
  }

  void call(CodeBuilder code, InvokeInstruction call, String mutant) {
    throw new IllegalStateException(this + " does not change calls");
  }

  void assignment(CodeBuilder code, FieldInstruction put, String mutant) {
    throw new IllegalStateException(this + " does not change assignments");
  }

  void beginning(CodeBuilder code, ClassDesc returned, String mutant) {
    throw new IllegalStateException(this + " does not change beginnings");
  }

  private static void strikes(CodeBuilder code, String mutant) {
    code.loadConstant(mutant).invokestatic(STRIKES, "strikes", ASKS);
  }

  private static void pops(CodeBuilder code, InvokeInstruction call) {
    List<ClassDesc> arguments = call.typeSymbol().parameterList();
    for (ClassDesc one : arguments.reversed()) pop(code, one);
    if (call.opcode() != Opcode.INVOKESTATIC) code.pop();
  }

  private static void pop(CodeBuilder code, ClassDesc type) {
    if (TypeKind.from(type).slotSize() == 2) code.pop2();
    else code.pop();
  }

  private static void pushesNothing(CodeBuilder code, ClassDesc type) {
    switch (TypeKind.from(type).asLoadable()) {
      case VOID -> {}
      case INT -> code.iconst_0();
      case LONG -> code.lconst_0();
      case FLOAT -> code.fconst_0();
      case DOUBLE -> code.dconst_0();
      default -> code.aconst_null();
    }
  }
}
