package io.isle.apps.jobs.spec;

import io.isle.api.base.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A parameter of a job.
 *
 * @param defaultValue empty when the caller must give a value
 * @param choices the values that it may have; none for any
 * @param where its definition
 */
record Parameter(
    String name, Type type, Optional<String> defaultValue, List<String> choices, Located where) {
  /** What a value must look like. */
  enum Type {
    FILE,
    OUT,
    INT,
    FLOAT,
    BOOL,
    STRING;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isNumber() {
      return this == INT || this == FLOAT;
    }

    boolean isPath() {
      return this == FILE || this == OUT;
    }
  }

  /** The value as it stands for {@code ${name}}: a size that no formula takes as a number. */
  String inFormulas(String value) {
    return type == Type.INT && Numbers.whole(value).isEmpty()
        ? Long.toString(Numbers.size(value).orElseThrow())
        : value;
  }

  /** Why {@code value} is refused, or empty. */
  Optional<String> refusal(String value) {
    return switch (type) {
      case INT ->
          Numbers.size(value).isPresent()
              ? Optional.empty()
              : not(value, "a whole number (sizes " + ByteSize.SUFFIXES + ")");
      case FLOAT -> Numbers.real(value).isPresent() ? Optional.empty() : not(value, "a number");
      case BOOL ->
          value.equals("true") || value.equals("false")
              ? Optional.empty()
              : not(value, "true or false");
      case FILE, OUT -> value.indexOf('\0') >= 0 ? not("\\0", "part of a path") : Optional.empty();
      case STRING ->
          choices.isEmpty() || choices.contains(value)
              ? Optional.empty()
              : not(value, "one of " + String.join(", ", choices));
    };
  }

  private static Optional<String> not(String value, String wanted) {
    String shown = value.length() > 60 ? value.substring(0, 60) + "..." : value;
    return Optional.of("'" + shown + "' is not " + wanted);
  }
}
