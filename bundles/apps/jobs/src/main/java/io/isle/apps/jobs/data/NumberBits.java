package io.isle.apps.jobs.data;

import io.isle.apps.jobs.formula.Numbers;
import io.isle.apps.jobs.formula.Rational;
import java.util.OptionalDouble;

/** Numbers of job files as the bits of a type, low-aligned. Pure functions. */
public final class NumberBits {
  private NumberBits() {}

  /**
   * The bits of a number as job files write it; of a floating-point type {@code inf} and {@code
   * nan}, too, and of i64 hexadecimal numbers with the sign bit.
   *
   * @param name of the type, for messages
   * @throws IllegalArgumentException saying what is wrong, and what to write
   */
  public static long of(ElementType type, String name, String text) {
    OptionalDouble special = Numbers.special(text);
    if (special.isPresent()) {
      if (!type.isReal()) {
        throw new IllegalArgumentException("'" + text + "' is not a whole number (" + name + ")");
      }
      return type.specialBits(special.getAsDouble());
    }
    boolean signed = type == ElementType.I64 && text.startsWith("0x");
    if (signed && Numbers.whole(text).isPresent()) {
      return Numbers.whole(text).getAsLong();
    }
    Rational value =
        (type.isReal() ? Numbers.exact(text) : Numbers.exactSize(text))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'"
                            + text
                            + "' is not a "
                            + (type.isReal() ? "" : "whole ")
                            + "number ("
                            + name
                            + ")"));
    boolean negativeZero = value.equals(Rational.ZERO) && type.isReal() && text.startsWith("-");
    return negativeZero ? type.specialBits(-0.0) : of(type, name, text, value);
  }

  /** As the other, of a value that is known. */
  public static long of(ElementType type, String name, Rational value) {
    return of(type, name, value.toString(), value);
  }

  private static long of(ElementType type, String name, String text, Rational value) {
    return type.bits(value)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    !type.isReal() && !value.isWhole()
                        ? "'" + text + "' is not a whole number (" + name + ")"
                        : text
                            + " is not in "
                            + type.range()
                            + " ("
                            + name
                            + (type.isReal()
                                ? "); write a number of this range, inf or nan"
                                : "); write a number of this range")));
  }
}
