package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.formula.Rational;
import io.isle.apps.jobs.spec.Comparison;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/** What an element of a loop is compared with: whole numbers exactly, others as doubles. */
final class LoopGoal {
  private LoopGoal() {}

  static LoopUntil.Goal of(Comparison comparison, Rational goal) {
    double real = goal.real();
    return (type, memory) ->
        type.isReal()
            ? comparison.holds(type.real(memory, 0), real)
            : comparison.holds(whole(type, memory).compareTo(goal), 0);
  }

  private static Rational whole(ElementType type, MemorySegment memory) {
    long bits = type.whole(memory, 0);
    return type == ElementType.U64
        ? new Rational(new BigInteger(Long.toUnsignedString(bits)), BigInteger.ONE)
        : Rational.of(bits);
  }
}
