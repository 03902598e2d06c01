package io.isle.faces.shell.program;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo.Argument;
import java.util.Optional;

/** Types of a kernel's arguments as job files write them. Pure functions. */
final class Elements {
  private static final int HALF_BYTES = 2;

  private Elements() {}

  /** Type and shape of a buffer with that many elements. */
  static String of(Argument buffer, String extent) {
    Optional<String> scalar = scalar(buffer);
    int lanes = room(buffer.lanes());
    return scalar.isEmpty() || lanes <= 1
        ? "type: " + scalar.orElse("u8") + ", shape: [" + extent + "]"
        : "type: " + scalar.get() + ", shape: [" + extent + ", " + lanes + "]";
  }

  /** What nobody can tell about an argument; empty for most. */
  static String note(Argument argument) {
    return switch (argument.kind().orElseThrow()) {
      case BUFFER ->
          scalar(argument).isPresent() ? "" : "; the type of its elements is not known: bytes here";
      case LOCAL ->
          argument.bytes() > 0
              ? "; " + argument.bytes() + " bytes for each work item of a group"
              : "; bytes of local memory";
      case BYTES ->
          argument.element().isPresent() || isHalf(argument)
              ? ""
              : "; " + argument.bytes() + " bytes, better written as {struct: [...]}";
      default -> "";
    };
  }

  /** A value of zeros. */
  static String bytes(Argument argument) {
    Optional<String> scalar = scalar(argument);
    if (scalar.isEmpty()) {
      return "{bytes: \"" + "00".repeat(argument.bytes()) + "\"}";
    }
    return argument.lanes() <= 1
        ? "{" + scalar.get() + ": 0}"
        : "{" + scalar.get() + ": [0" + ", 0".repeat(argument.lanes() - 1) + "]}";
  }

  private static boolean isHalf(Argument argument) {
    return argument.type().equals("half") && argument.bytes() == HALF_BYTES;
  }

  /** Vectors of three have the room of four. */
  private static int room(int lanes) {
    return lanes == 3 ? 4 : lanes;
  }

  /** Such as {@code u16}; empty where the driver does not tell. */
  private static Optional<String> scalar(Argument argument) {
    if (isHalf(argument) || argument.type().matches("(__global |global |const )*half ?\\*.*")) {
      return Optional.of("f16");
    }
    Optional<ArgumentKind> element = argument.element();
    if (element.isEmpty() || argument.lanes() < 1 || argument.bytes() < 1) {
      return Optional.empty();
    }
    char kind = element.get().text().charAt(0);
    return Optional.of(kind + "" + 8 * argument.bytes() / room(argument.lanes()));
  }
}
