package io.isle.karaf.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * A command that fails, or is refused, is one line of the log: where Karaf logs an error with its
 * stack trace, of which a user of any role can make as many as fit into the log, the trace is for
 * level debug, and what the exception says is a warning.
 */
final class FailureInOneLine implements CodeTransform {
  private static final ClassDesc SHELL = ClassDesc.of("org.apache.karaf.shell.support.ShellUtil");
  private static final ClassDesc LOGGER = ClassDesc.of("org.slf4j.Logger");
  private static final ClassDesc THROWABLE = Throwable.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc WITH_TRACE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, THROWABLE);
  private static final MethodTypeDesc WITH_VALUE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, ConstantDescs.CD_Object);
  private static final MethodTypeDesc TEXT_OF =
      MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_Object);
  private static final int THROWN = 1;

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof InvokeInstruction call
        && call.owner().asSymbol().equals(LOGGER)
        && call.name().equalsString("error")) {
      code.invokeinterface(LOGGER, "debug", WITH_TRACE)
          .getstatic(SHELL, "LOGGER", LOGGER)
          .ldc("A command failed: {}")
          .aload(THROWN)
          .invokestatic(ConstantDescs.CD_String, "valueOf", TEXT_OF)
          .invokeinterface(LOGGER, "warn", WITH_VALUE);
    } else {
      code.with(element);
    }
  }
}
