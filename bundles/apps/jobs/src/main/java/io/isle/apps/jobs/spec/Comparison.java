package io.isle.apps.jobs.spec;

import java.util.Optional;

/** How a claim's value is compared with its goal. */
public enum Comparison {
  EQUAL("=="),
  NOT_EQUAL("!="),
  AT_MOST("<="),
  AT_LEAST(">="),
  BELOW("<"),
  ABOVE(">");

  private final String symbol;

  Comparison(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }

  /** The comparison that {@code text} begins with; longer symbols come first above. */
  static Optional<Comparison> startOf(String text) {
    for (Comparison value : values()) {
      if (text.startsWith(value.symbol)) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  /** NaN holds nowhere. */
  public boolean holds(double value, double goal) {
    return switch (this) {
      case EQUAL -> value == goal;
      case NOT_EQUAL -> value < goal || value > goal;
      case AT_MOST -> value <= goal;
      case AT_LEAST -> value >= goal;
      case BELOW -> value < goal;
      case ABOVE -> value > goal;
    };
  }
}
