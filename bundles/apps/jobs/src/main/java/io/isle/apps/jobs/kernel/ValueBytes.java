package io.isle.apps.jobs.kernel;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.NumberBits;
import io.isle.apps.jobs.formula.Rational;
import io.isle.apps.jobs.spec.Arg;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.TypedValue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** The bytes of values with types, little-endian. Pure functions. */
final class ValueBytes {
  private ValueBytes() {}

  /**
   * The bits of a number or formula.
   *
   * @param name of the type, for messages
   * @throws io.isle.api.jobs.JobException naming the number that is not in the type's range
   */
  static long bits(ElementType type, String name, Arg.Plain number, Extents extents) {
    if (number.formula().isPresent()) {
      return bits(type, name, number.formula().get(), extents);
    }
    try {
      return NumberBits.of(type, name, number.text());
    } catch (IllegalArgumentException e) {
      throw number.where().error(e.getMessage());
    }
  }

  private static long bits(
      ElementType type, String name, Buffers.Formula formula, Extents extents) {
    Rational value = extents.exact(formula);
    if (!type.isReal() && !value.isWhole()) {
      throw formula
          .where()
          .failure(
              Errno.EINVAL,
              formula.text()
                  + " is "
                  + value
                  + "; the value must be a whole number from "
                  + type.range()
                  + " ("
                  + name
                  + ")");
    }
    try {
      return NumberBits.of(type, name, value);
    } catch (IllegalArgumentException e) {
      throw formula.where().failure(Errno.EINVAL, formula.text() + ": " + e.getMessage());
    }
  }

  /** Writes a value to a place; bytes between members are zeros. */
  static void write(TypedValue value, Extents extents, MemorySegment to) {
    switch (value) {
      case TypedValue.Numbers numbers -> {
        for (int i = 0; i < numbers.numbers().size(); i++) {
          ElementType type = numbers.type();
          long bits = bits(type, type.text(), numbers.numbers().get(i), extents);
          type.setWhole(to, i, bits);
        }
      }
      case TypedValue.Bytes bytes ->
          MemorySegment.copy(
              HexFormat.of().parseHex(bytes.digits()),
              0,
              to,
              ValueLayout.JAVA_BYTE,
              0,
              bytes.bytes());
      case TypedValue.Struct struct -> {
        for (int i = 0; i < struct.members().size(); i++) {
          TypedValue member = struct.members().get(i);
          write(member, extents, to.asSlice(struct.offset(i), member.bytes()));
        }
      }
    }
  }
}
