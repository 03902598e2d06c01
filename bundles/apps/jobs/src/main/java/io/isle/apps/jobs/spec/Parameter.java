package io.isle.apps.jobs.spec;

import io.isle.api.base.ByteSize;
import io.isle.apps.jobs.formula.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** The definition of a parameter. */
  static Parameter read(String name, Located where) {
    Map<String, Located> keys = where.mapping("type", "default", "choices");
    Located typeAt = keys.get("type");
    if (typeAt == null) {
      throw where.error("needs a type: file, out, int, float, bool or string");
    }
    Type type =
        Parameters.choice(
            typeAt, typeAt.text().toLowerCase(Locale.ROOT), List.of(Type.values()), Type::text);
    Located defaultAt = keys.get("default");
    Optional<String> value = Optional.ofNullable(defaultAt).map(Located::text);
    Parameter parameter =
        new Parameter(name, type, value, choices(keys.get("choices"), type), where);
    value
        .flatMap(parameter::refusal)
        .ifPresent(
            why -> {
              throw defaultAt.error(why);
            });
    return parameter;
  }

  private static List<String> choices(Located at, Type type) {
    if (at == null) {
      return List.of();
    }
    if (type != Type.STRING) {
      throw at.error("only a parameter of the type string has choices");
    }
    List<String> choices = at.sequence(Parameters.MAX).stream().map(Located::text).toList();
    if (choices.isEmpty()) {
      throw at.error("needs at least one choice");
    }
    return choices;
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
