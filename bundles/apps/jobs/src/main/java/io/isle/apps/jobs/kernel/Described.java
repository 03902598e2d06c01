package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.apps.jobs.data.ElementType;
import java.util.Optional;

/** What an argument of a kernel is, and what a job file writes for it. Pure functions. */
final class Described {
  private Described() {}

  /** Its type as the source writes it, else its kind. */
  static String type(KernelInfo.Argument argument) {
    return argument.type().isEmpty()
        ? argument.kind().map(ArgumentKind::text).orElse("unknown type")
        : argument.type();
  }

  /** For messages: {@code argument 2, tile (float4)}, counted from 0 as OpenCL does. */
  static String name(KernelInfo.Argument argument, int index) {
    return "argument "
        + index
        + (argument.name().isEmpty() ? "" : ", " + argument.name())
        + " ("
        + type(argument)
        + ")";
  }

  /** The type of its scalars; empty for buffers, structures and local memory. */
  static Optional<ElementType> element(KernelInfo.Argument argument) {
    boolean value =
        argument.kind().filter(k -> k.isScalar() || k == ArgumentKind.BYTES).isPresent();
    return value ? scalar(argument, argument.type()) : Optional.empty();
  }

  /** The type of the scalars that a buffer of the kernel has; empty for others, and if unknown. */
  static Optional<ElementType> pointed(KernelInfo.Argument argument) {
    boolean buffer = argument.kind().filter(kind -> kind == ArgumentKind.BUFFER).isPresent();
    String type = argument.type();
    return buffer && type.endsWith("*")
        ? scalar(argument, type.substring(0, type.length() - 1).strip())
        : Optional.empty();
  }

  private static Optional<ElementType> scalar(KernelInfo.Argument argument, String type) {
    if (argument.element().isEmpty()) {
      return type.equals("half") && argument.bytes() == ElementType.F16.bytes()
          ? Optional.of(ElementType.F16)
          : Optional.empty();
    }
    int room = argument.lanes() == 3 ? 4 : Math.max(1, argument.lanes());
    int bytes = argument.bytes() / room;
    return switch (argument.element().get()) {
      case U32 ->
          Optional.of(bytes == 1 ? ElementType.U8 : bytes == 2 ? ElementType.U16 : ElementType.U32);
      case I32 ->
          Optional.of(bytes == 1 ? ElementType.I8 : bytes == 2 ? ElementType.I16 : ElementType.I32);
      case U64 -> Optional.of(ElementType.U64);
      case I64 -> Optional.of(ElementType.I64);
      case F32 -> Optional.of(ElementType.F32);
      case F64 -> Optional.of(ElementType.F64);
      case BUFFER, LOCAL, BYTES -> Optional.empty();
    };
  }

  /** Whether a plain number does: of a scalar. */
  static boolean takesNumber(KernelInfo.Argument argument) {
    return element(argument).isPresent() && argument.lanes() <= 1;
  }

  /** What to write. */
  static String form(KernelInfo.Argument argument) {
    if (argument.kind().filter(kind -> kind == ArgumentKind.BUFFER).isPresent()) {
      return "write the name of a buffer";
    }
    if (argument.kind().filter(kind -> kind == ArgumentKind.LOCAL).isPresent()) {
      return "local memory; write its size, such as {local: 16KiB} or {local: 4 * local_x}";
    }
    Optional<ElementType> element = element(argument);
    if (element.isPresent() && argument.lanes() <= 1) {
      return "write a number, or {" + element.get().text() + ": NUMBER}";
    }
    if (element.isPresent()) {
      String numbers =
          switch (argument.lanes()) {
            case 2 -> "a, b";
            case 3 -> "a, b, c";
            case 4 -> "a, b, c, d";
            default -> "a, b, ...";
          };
      return "write {" + element.get().text() + ": [" + numbers + "]}";
    }
    return argument.bytes()
        + " bytes; write {struct: [...]} with a typed value for each member, or {bytes: \"...\"}";
  }
}
