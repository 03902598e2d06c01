package io.isle.apps.jobs.formula;

import java.util.Map;

/** A part of a formula. Immutable. */
sealed interface Term {
  /** In double precision. */
  double real(Map<String, Double> names);

  /**
   * Exactly.
   *
   * @throws ArithmeticException saying why there is no value
   */
  Rational exact(Map<String, Rational> names);

  /** A number; {@code real} is what double precision takes it for. */
  record Number(Rational value, double real) implements Term {
    @Override
    public double real(Map<String, Double> names) {
      return real;
    }

    @Override
    public Rational exact(Map<String, Rational> names) {
      return value;
    }
  }

  /** What the caller has a value for. */
  record Name(String name) implements Term {
    @Override
    public double real(Map<String, Double> names) {
      return names.get(name);
    }

    @Override
    public Rational exact(Map<String, Rational> names) {
      Rational value = names.get(name);
      if (value == null) {
        throw new ArithmeticException("'" + name + "' without a value");
      }
      return value;
    }
  }

  /** A function of one part. */
  record Call(Function function, Term of) implements Term {
    @Override
    public double real(Map<String, Double> names) {
      return function.real(of.real(names));
    }

    @Override
    public Rational exact(Map<String, Rational> names) {
      return function.exact(of.exact(names));
    }
  }

  /** Two parts. */
  record Pair(Operator operator, Term first, Term second) implements Term {
    @Override
    public double real(Map<String, Double> names) {
      return operator.real(first.real(names), second.real(names));
    }

    @Override
    public Rational exact(Map<String, Rational> names) {
      return operator.exact(first.exact(names), second.exact(names));
    }
  }
}
