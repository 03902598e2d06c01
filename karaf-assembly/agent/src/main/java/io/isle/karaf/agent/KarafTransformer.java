package io.isle.karaf.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import javax.security.auth.Subject;

/**
 * Rewrites the few classes through which Karaf finds out who runs a command and whether that user
 * may, and those that read a command's options, tell of its failure, and make the ssh server.
 * Stateless, so safe on any thread.
 */
final class KarafTransformer implements ClassFileTransformer {
  static final ClassDesc SUBJECT = Subject.class.describeConstable().orElseThrow();
  private static final String PRIVILEGED_ACTION = "Ljava/security/PrivilegedAction;";
  private static final String PRIVILEGED_EXCEPTION_ACTION =
      "Ljava/security/PrivilegedExceptionAction;";

  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] original) {
    ClassTransform change = name == null ? null : changeOf(name);
    if (change == null) {
      return null;
    }
    try {
      return rewrite(loader, original, change);
    } catch (RuntimeException e) {
      // The JVM drops what a transformer throws, and the class would silently stay as it was.
      System.err.println("isle: the agent cannot change " + name + ": " + e);
      return null;
    }
  }

  private static byte[] rewrite(ClassLoader loader, byte[] original, ClassTransform change) {
    ClassHierarchyResolver hierarchy = ClassHierarchyResolver.defaultResolver();
    if (loader != null) {
      hierarchy = hierarchy.orElse(ClassHierarchyResolver.ofResourceParsing(loader));
    }
    ClassFile file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
    ClassModel model = file.parse(original);
    return file.transformClass(model, change);
  }

  private static ClassTransform changeOf(String name) {
    return switch (name) {
      case "javax/security/auth/Subject" -> currentSubjectInsteadOfContext();
      case "org/apache/karaf/util/jaas/JaasHelper" -> scopedDoAs();
      case "org/apache/felix/gogo/runtime/Pipe" -> BindAtConstruction.of("doCall");
      case "org/apache/karaf/shell/impl/console/ConsoleSessionImpl" ->
          BindAtConstruction.ofSession("run");
      case "org/apache/karaf/shell/impl/action/command/DefaultActionPreparator" ->
          ClassTransform.transformingMethodBodies(
              method -> method.methodName().equalsString("prepare"),
              CodeTransform.ofStateful(OptionsAnywhere::new));
      case "org/apache/karaf/shell/impl/console/osgi/secured/SecuredSessionFactoryImpl" ->
          ClassTransform.transformingMethodBodies(
              method -> method.methodName().equalsString("checkSecurity"), new RefusalByName());
      case "org/apache/karaf/shell/support/ShellUtil" ->
          ClassTransform.transformingMethodBodies(
              method -> method.methodName().equalsString("logException"), new FailureInOneLine());
      case "org/apache/karaf/shell/ssh/Activator" ->
          ClassTransform.transformingMethodBodies(
              method -> method.methodName().equalsString("createSshServer"), new NoForwarding());
      default -> null;
    };
  }

  /** {@code getSubject(acc)} becomes {@code return current()}. */
  private static ClassTransform currentSubjectInsteadOfContext() {
    return replaceBody(
        "getSubject",
        "(Ljava/security/AccessControlContext;)Ljavax/security/auth/Subject;",
        code -> code.invokestatic(SUBJECT, "current", MethodTypeDesc.of(SUBJECT)).areturn());
  }

  /** Both {@code doAs} become {@code return Subject.doAs(subject, action)}. */
  private static ClassTransform scopedDoAs() {
    return scopedDoAs(PRIVILEGED_ACTION).andThen(scopedDoAs(PRIVILEGED_EXCEPTION_ACTION));
  }

  private static ClassTransform scopedDoAs(String action) {
    String descriptor = "(Ljavax/security/auth/Subject;" + action + ")Ljava/lang/Object;";
    MethodTypeDesc type =
        MethodTypeDesc.of(ConstantDescs.CD_Object, SUBJECT, ClassDesc.ofDescriptor(action));
    return replaceBody(
        "doAs",
        descriptor,
        code -> code.aload(0).aload(1).invokestatic(SUBJECT, "doAs", type).areturn());
  }

  private static ClassTransform replaceBody(
      String name, String descriptor, Consumer<CodeBuilder> body) {
    return (builder, element) -> {
      if (element instanceof MethodModel method
          && method.methodName().equalsString(name)
          && method.methodType().equalsString(descriptor)) {
        builder.transformMethod(
            method,
            (methodBuilder, part) -> {
              if (part instanceof CodeModel) {
                methodBuilder.withCode(body);
              } else {
                methodBuilder.with(part);
              }
            });
      } else {
        builder.with(element);
      }
    };
  }
}
