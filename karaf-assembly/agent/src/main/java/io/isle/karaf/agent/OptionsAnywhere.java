package io.isle.karaf.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Lets options of Isle's commands stand after their arguments, as everywhere else on a command
 * line.
 *
 * <p>Karaf's {@code DefaultActionPreparator.prepare(action, ...)} keeps a flag, the first int local
 * that it sets, and clears it at the first argument. For actions of Isle it now stays set; other
 * commands keep their rule, because what {@code exec} runs has options of its own.
 */
final class OptionsAnywhere implements CodeTransform {
  private static final String OWN = "io.isle.";
  private static final ClassDesc CLASS = ConstantDescs.CD_Class;
  private static final ClassDesc STRING = ConstantDescs.CD_String;

  private int flag = -1;
  private boolean afterOne;

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof StoreInstruction store && store.typeKind() == TypeKind.INT) {
      if (flag < 0 && afterOne) {
        flag = store.slot();
      } else if (store.slot() == flag) {
        code.pop()
            .aload(1)
            .invokevirtual(ConstantDescs.CD_Object, "getClass", MethodTypeDesc.of(CLASS))
            .invokevirtual(CLASS, "getName", MethodTypeDesc.of(STRING))
            .ldc(OWN)
            .invokevirtual(
                STRING, "startsWith", MethodTypeDesc.of(ConstantDescs.CD_boolean, STRING));
      }
    }
    afterOne =
        element instanceof java.lang.classfile.Instruction instruction
            ? instruction.opcode() == Opcode.ICONST_1
            : afterOne && !(element instanceof java.lang.classfile.Label);
    code.with(element);
  }
}
