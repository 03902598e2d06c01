package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Arg;
import io.isle.apps.jobs.spec.TypedValue;
import java.util.Optional;

/**
 * Values with types against what a kernel takes: of the same size always, and of numbers the same
 * kind and count where the kernel's are known.
 */
final class TypedArguments {
  private TypedArguments() {}

  /**
   * @throws io.isle.api.jobs.JobException saying what to write instead
   */
  static Argument of(Arg.Typed given, KernelInfo.Argument argument, int index) {
    TypedValue value = given.value();
    Optional<ElementType> element = Described.element(argument);
    boolean fits =
        !(value instanceof TypedValue.Numbers numbers)
            || element.isEmpty()
            || fits(numbers, element.get(), Math.max(1, argument.lanes()));
    if (value.bytes() != argument.bytes() || !fits) {
      throw given
          .where()
          .error(
              value.text()
                  + " of "
                  + value.bytes()
                  + " bytes does not fit "
                  + Described.name(argument, index)
                  + " of the kernel, which has "
                  + argument.bytes()
                  + " bytes: "
                  + Described.form(argument));
    }
    check(value);
    ArgumentKind kind = argument.kind().orElseThrow();
    if (!(value instanceof TypedValue.Numbers numbers) || element.isEmpty()) {
      return new Argument.OfBytes(value);
    }
    if (kind.isScalar()) {
      return Matching.number(numbers.numbers().getFirst(), argument, kind);
    }
    // the kernel's own type, whose sign may be another
    TypedValue own = new TypedValue.Numbers(element.get(), numbers.numbers());
    check(own);
    return new Argument.OfBytes(own);
  }

  private static boolean fits(TypedValue.Numbers numbers, ElementType element, int lanes) {
    ElementType type = numbers.type();
    return numbers.numbers().size() == lanes
        && type.isReal() == element.isReal()
        && type.bytes() == element.bytes();
  }

  /** Numbers that are no formulas have their ranges checked at once. */
  private static void check(TypedValue value) {
    switch (value) {
      case TypedValue.Numbers numbers -> {
        for (Arg.Plain number : numbers.numbers()) {
          if (number.formula().isEmpty()) {
            ElementType type = numbers.type();
            long ignored = ValueBytes.bits(type, type.text(), number, Extents.none());
          }
        }
      }
      case TypedValue.Bytes _ -> {}
      case TypedValue.Struct struct -> struct.members().forEach(TypedArguments::check);
    }
  }
}
