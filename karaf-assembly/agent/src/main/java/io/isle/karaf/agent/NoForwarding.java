package io.isle.karaf.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * The ssh server that Karaf makes accepts every forwarding, of any role. Each one that the method
 * returns refuses all of them before it is started: ports in both directions, agents and X11.
 */
final class NoForwarding implements CodeTransform {
  private static final ClassDesc SERVER = ClassDesc.of("org.apache.sshd.server.SshServer");
  private static final ClassDesc FILTER =
      ClassDesc.of("org.apache.sshd.server.forward.ForwardingFilter");
  private static final ClassDesc REFUSING =
      ClassDesc.of("org.apache.sshd.server.forward.RejectAllForwardingFilter");
  private static final ClassDesc AGENTS = ClassDesc.of("org.apache.sshd.agent.SshAgentFactory");

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction end && end.opcode() == Opcode.ARETURN) {
      code.dup()
          .getstatic(REFUSING, "INSTANCE", REFUSING)
          .invokevirtual(SERVER, "setForwardingFilter", setterOf(FILTER))
          .dup()
          .aconst_null()
          .invokevirtual(SERVER, "setAgentFactory", setterOf(AGENTS));
    }
    code.with(element);
  }

  private static MethodTypeDesc setterOf(ClassDesc type) {
    return MethodTypeDesc.of(ConstantDescs.CD_void, type);
  }
}
