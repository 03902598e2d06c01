package io.isle.net.tile;

import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.lib.tile.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Loads the product's own classes once more, with a call of {@link CrashPoint#stored} behind each
 * store to memory, and with one call left out if the tile is to be a mutant.
 */
final class CrashLoader extends ClassLoader {
  private static final List<String> PACKAGES =
      List.of(
          "io.isle.net.tile.", "io.isle.lib.tile.", "io.isle.lib.tango.", "io.isle.lib.packet.");
  private static final Set<String> SHARED =
      Set.of(Routes.class.getName(), CrashPoint.class.getName());
  private static final ClassDesc POINT = CrashPoint.class.describeConstable().orElseThrow();
  private static final Set<String> STORES =
      Set.of("set", "setOpaque", "setRelease", "setVolatile", "setAtIndex", "copy", "fill");
  private static final Set<String> OWNERS =
      Set.of("java/lang/invoke/VarHandle", "java/lang/foreign/MemorySegment");

  private final Mutant mutant;
  private final Method open;
  private int leftOut;

  CrashLoader(Mutant mutant) {
    super(CrashLoader.class.getClassLoader());
    this.mutant = mutant;
    try {
      open =
          loadClass("io.isle.net.tile.Opening")
              .getDeclaredMethod("open", TileMemory.class, Routes.class, TileCalls.class);
      open.setAccessible(true);
      for (String name : List.of("RxPath", "TxPath", "Repair", "Furnish", "Port")) {
        loadClass("io.isle.net.tile." + name);
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    if (mutant != Mutant.NONE && leftOut == 0) {
      throw new AssertionError("no call " + mutant + " to leave out");
    }
  }

  /** Opens a tile of the instrumented classes. */
  Tile open(TileMemory memory, Routes routes, TileCalls calls) {
    try {
      return (Tile) open.invoke(null, memory, routes, calls);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (SHARED.contains(name) || PACKAGES.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      ClassFile classes = ClassFile.of();
      String simple = name.substring(name.lastIndexOf('.') + 1);
      byte[] bytes =
          classes.transformClass(
              classes.parse(in.readAllBytes()),
              ClassTransform.transformingMethods(
                  method -> method.code().isPresent(), transform(simple)));
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MethodTransform transform(String simple) {
    return (to, part) -> {
      if (part instanceof CodeModel code) {
        MethodModel method = code.parent().orElseThrow();
        to.transformCode(code, (builder, next) -> code(simple, method, builder, next));
      } else {
        to.with(part);
      }
    };
  }

  private void code(String simple, MethodModel method, CodeBuilder builder, CodeElement next) {
    if (!(next instanceof InvokeInstruction call)) {
      builder.with(next);
      return;
    }
    if (call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
        && mutant.is(simple, method.methodName().stringValue(), call.name().stringValue())) {
      leftOut++;
      leaveOut(builder, call);
      return;
    }
    builder.with(next);
    if (OWNERS.contains(call.owner().asInternalName())
        && STORES.contains(call.name().stringValue())) {
      builder.invokestatic(POINT, "stored", MethodTypeDesc.of(ConstantDescs.CD_void));
    }
  }

  /** Takes the arguments from the stack. */
  private static void leaveOut(CodeBuilder builder, InvokeInstruction call) {
    MethodTypeDesc type = call.typeSymbol();
    List<ClassDesc> arguments = Arrays.asList(type.parameterArray());
    Collections.reverse(arguments);
    for (ClassDesc argument : arguments) {
      if (TypeKind.from(argument).slotSize() == 2) {
        builder.pop2();
      } else {
        builder.pop();
      }
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      builder.pop();
    }
  }
}
