package io.isle.karaf.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * A command that its user may not run is refused as what it is: where Karaf throws that there is no
 * such command, a {@link SecurityException} names it. Commands that are not there stay so.
 */
final class RefusalByName implements CodeTransform {
  private static final ClassDesc NOT_FOUND =
      ClassDesc.of("org.apache.felix.gogo.runtime.CommandNotFoundException");
  private static final ClassDesc REFUSED =
      SecurityException.class.describeConstable().orElseThrow();
  private static final ClassDesc STRING = ConstantDescs.CD_String;
  private static final String WHY = ": your role may not run it; a higher one may";

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof NewObjectInstruction made
        && made.className().asSymbol().equals(NOT_FOUND)) {
      code.new_(REFUSED);
    } else if (element instanceof InvokeInstruction call
        && call.owner().asSymbol().equals(NOT_FOUND)) {
      code.ldc(WHY)
          .invokevirtual(STRING, "concat", MethodTypeDesc.of(STRING, STRING))
          .invokespecial(
              REFUSED, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void, STRING));
    } else {
      code.with(element);
    }
  }
}
