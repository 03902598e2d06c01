package io.isle.karaf.agent;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import javax.security.auth.Subject;

/**
 * Makes one method of a class run as the subject that was current when the object was made,
 * whatever thread calls it: the constructor stores {@code Subject.current()} in a new final field,
 * the method is renamed, and a method of the old name calls it by {@code Subject.callAs}. The
 * binding ends with the call, so a pool's thread keeps nothing.
 */
final class BindAtConstruction implements ClassTransform {
  private static final ClassDesc SUBJECT = KarafTransformer.SUBJECT;
  private static final ClassDesc CALLABLE = Callable.class.describeConstable().orElseThrow();
  private static final ClassDesc RUNNABLE = Runnable.class.describeConstable().orElseThrow();
  private static final ClassDesc EXECUTORS = Executors.class.describeConstable().orElseThrow();
  private static final String FIELD = "isle$subject";
  private static final DirectMethodHandleDesc METAFACTORY =
      ConstantDescs.ofCallsiteBootstrap(
          LambdaMetafactory.class.describeConstable().orElseThrow(),
          "metafactory",
          ConstantDescs.CD_CallSite,
          ConstantDescs.CD_MethodType,
          ConstantDescs.CD_MethodHandle,
          ConstantDescs.CD_MethodType);

  private final String method;
  private final boolean session;

  private BindAtConstruction(String method, boolean session) {
    this.method = method;
    this.session = session;
  }

  /** Binds the method of that name; one that takes no arguments. */
  static BindAtConstruction of(String method) {
    return new BindAtConstruction(method, false);
  }

  /**
   * The same of a session, whose variable of the subject's class name goes first: the ssh server
   * makes a session as nobody, and sets that variable before it runs it.
   */
  static BindAtConstruction ofSession(String method) {
    return new BindAtConstruction(method, true);
  }

  @Override
  public void accept(ClassBuilder builder, ClassElement element) {
    if (!(element instanceof MethodModel model)) {
      builder.with(element);
      return;
    }
    ClassDesc owner = model.parent().orElseThrow().thisClass().asSymbol();
    if (model.methodName().equalsString(ConstantDescs.INIT_NAME)) {
      capture(builder, model, owner);
    } else if (model.methodName().equalsString(method)
        && model.methodTypeSymbol().parameterCount() == 0) {
      rename(builder, model);
      bind(builder, model, owner);
    } else {
      builder.with(model);
    }
  }

  @Override
  public void atEnd(ClassBuilder builder) {
    builder.withField(FIELD, SUBJECT, ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC);
  }

  private static void capture(ClassBuilder builder, MethodModel constructor, ClassDesc owner) {
    builder.transformMethod(
        constructor,
        java.lang.classfile.MethodTransform.transformingCode(
            (code, instruction) -> {
              if (instruction instanceof ReturnInstruction) {
                code.aload(0)
                    .invokestatic(SUBJECT, "current", MethodTypeDesc.of(SUBJECT))
                    .putfield(owner, FIELD, SUBJECT);
              }
              code.with(instruction);
            }));
  }

  private void rename(ClassBuilder builder, MethodModel model) {
    builder.withMethod(
        renamed(),
        model.methodTypeSymbol(),
        ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC,
        to ->
            model.forEach(
                part -> {
                  if (part instanceof CodeModel code) {
                    to.transformCode(code, CodeBuilder::with);
                  }
                }));
  }

  private void bind(ClassBuilder builder, MethodModel model, ClassDesc owner) {
    MethodTypeDesc type = model.methodTypeSymbol();
    builder.withMethodBody(
        method,
        type,
        model.flags().flagsMask(),
        code -> {
          subject(code, owner);
          code.aload(0);
          lambda(code, owner, type);
          code.invokestatic(
              SUBJECT, "callAs", MethodTypeDesc.of(ConstantDescs.CD_Object, SUBJECT, CALLABLE));
          if (type.returnType().equals(ConstantDescs.CD_void)) {
            code.pop().return_();
          } else {
            code.checkcast(type.returnType()).areturn();
          }
        });
  }

  private void subject(CodeBuilder code, ClassDesc owner) {
    Label known = code.newLabel();
    if (session) {
      code.aload(0)
          .ldc(Subject.class.getName())
          .invokevirtual(
              owner, "get", MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_String))
          .dup()
          .ifnonnull(known)
          .pop();
    }
    code.aload(0).getfield(owner, FIELD, SUBJECT).labelBinding(known).checkcast(SUBJECT);
  }

  /** Replaces {@code this} on the stack by a callable of the renamed method. */
  private void lambda(CodeBuilder code, ClassDesc owner, MethodTypeDesc type) {
    boolean isVoid = type.returnType().equals(ConstantDescs.CD_void);
    MethodTypeDesc erased =
        MethodTypeDesc.of(isVoid ? ConstantDescs.CD_void : ConstantDescs.CD_Object);
    code.invokedynamic(
        DynamicCallSiteDesc.of(
            METAFACTORY,
            isVoid ? "run" : "call",
            MethodTypeDesc.of(isVoid ? RUNNABLE : CALLABLE, owner),
            erased,
            MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.SPECIAL, owner, renamed(), type),
            type));
    if (isVoid) {
      code.invokestatic(EXECUTORS, "callable", MethodTypeDesc.of(CALLABLE, RUNNABLE));
    }
  }

  private String renamed() {
    return "isle$" + method;
  }
}
