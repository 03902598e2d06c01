package io.isle.karaf.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.logging.Logger;

/**
 * A command that its user may not run is refused as what it is: where Karaf throws that there is no
 * such command, or only that credentials do not suffice, a {@link SecurityException} names the
 * command. What it says goes to the logger {@value #LOGGER} first, on the thread of the command:
 * the exception of a stage of a pipe, or of a job in the background, reaches nobody. Commands that
 * are not there stay so.
 */
final class RefusalByName implements CodeTransform {
  static final String LOGGER = "io.isle.shell.refusal";

  private static final ClassDesc NOT_FOUND =
      ClassDesc.of("org.apache.felix.gogo.runtime.CommandNotFoundException");
  private static final ClassDesc REFUSED =
      SecurityException.class.describeConstable().orElseThrow();
  private static final ClassDesc JDK_LOGGER = Logger.class.describeConstable().orElseThrow();
  private static final ClassDesc STRING = ConstantDescs.CD_String;
  private static final MethodTypeDesc OF_TEXT = MethodTypeDesc.of(ConstantDescs.CD_void, STRING);
  private static final String WHY = ": your role may not run it; a higher one may";
  private static final int SCOPE = 1;
  private static final int NAME = 2;

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof NewObjectInstruction made
        && made.className().asSymbol().equals(NOT_FOUND)) {
      code.new_(REFUSED);
    } else if (element instanceof InvokeInstruction call && makesRefusal(call)) {
      code.pop().aload(SCOPE).ldc(":");
      concat(code);
      code.aload(NAME);
      concat(code);
      code.ldc(WHY);
      concat(code);
      // severe passes every level but OFF
      code.dup()
          .ldc(LOGGER)
          .invokestatic(JDK_LOGGER, "getLogger", MethodTypeDesc.of(JDK_LOGGER, STRING))
          .swap()
          .invokevirtual(JDK_LOGGER, "severe", OF_TEXT)
          .invokespecial(REFUSED, ConstantDescs.INIT_NAME, OF_TEXT);
    } else {
      code.with(element);
    }
  }

  private static boolean makesRefusal(InvokeInstruction call) {
    ClassDesc owner = call.owner().asSymbol();
    return call.name().equalsString(ConstantDescs.INIT_NAME)
        && (owner.equals(NOT_FOUND) || owner.equals(REFUSED));
  }

  private static void concat(CodeBuilder code) {
    code.invokevirtual(STRING, "concat", MethodTypeDesc.of(STRING, STRING));
  }
}
