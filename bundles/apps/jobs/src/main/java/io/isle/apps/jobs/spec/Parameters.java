package io.isle.apps.jobs.spec;

import io.isle.api.base.ByteSize;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.formula.Expression;
import io.isle.apps.jobs.formula.Numbers;
import io.isle.apps.jobs.formula.Rational;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The parameters of a job with their values; replaces {@code ${name}} in the file's values. */
final class Parameters {
  static final int MAX = 64;
  private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,63}";

  private final Map<String, Parameter> definitions = new LinkedHashMap<>();
  private final Map<String, String> values = new LinkedHashMap<>();

  private final Path base;

  /**
   * Reads the section {@code params}.
   *
   * @param section null when the file has none
   * @param base directory of the job file, from where its relative paths count
   */
  Parameters(Located section, Path base) {
    this.base = base;
    if (section == null) {
      return;
    }
    for (Map.Entry<String, Located> entry : section.entries(MAX).entrySet()) {
      Located where = entry.getValue();
      if (!entry.getKey().matches(NAME)) {
        throw where.error(
            "a parameter's name has 1 to 64 characters of A-Z, a-z, 0-9, '_' and '-', the first a"
                + " letter");
      }
      Parameter parameter = Parameter.read(entry.getKey(), where);
      definitions.put(parameter.name(), parameter);
    }
  }

  /**
   * Gives every parameter its value.
   *
   * @param given values of the caller
   * @param caller from where the caller's relative paths count
   */
  void resolve(Map<String, String> given, Path caller) {
    for (String key : given.keySet()) {
      if (!definitions.containsKey(key)) {
        throw JobException.usage(0, "--set " + key + ": unknown parameter; " + describe());
      }
    }
    for (Parameter parameter : definitions.values()) {
      String value = given.get(parameter.name());
      Path directory = caller;
      if (value == null) {
        directory = base;
        value =
            parameter
                .defaultValue()
                .orElseThrow(
                    () ->
                        parameter
                            .where()
                            .error(
                                "has no default; give it with --set "
                                    + parameter.name()
                                    + "="
                                    + parameter.type().name()));
      }
      String checked = value;
      parameter
          .refusal(value)
          .ifPresent(
              why -> {
                throw parameter.where().error("--set " + parameter.name() + ": " + why);
              });
      values.put(
          parameter.name(),
          parameter.type().isPath() && !checked.isEmpty()
              ? path(parameter.where(), directory, checked).toString()
              : parameter.inFormulas(checked));
    }
  }

  private static Path path(Located where, Path directory, String text) {
    try {
      return directory.resolve(text);
    } catch (InvalidPathException e) {
      throw where.error("is not a path: " + e.getReason());
    }
  }

  private String describe() {
    return definitions.isEmpty()
        ? "the job has no parameters"
        : "the job's parameters are "
            + definitions.values().stream()
                .map(p -> p.name() + " (" + p.type().text() + ")")
                .collect(Collectors.joining(", "));
  }

  /** Directory of the job file. */
  Path base() {
    return base;
  }

  /** The file of that name. */
  Path path(Located at, String name) {
    return path(at, base, name);
  }

  /** A file; empty where nothing is given, or an empty text. */
  Optional<Path> file(Located at) {
    String text = at == null ? "" : text(at);
    return text.isEmpty() ? Optional.empty() : Optional.of(path(at, text));
  }

  /** A file that is needed. */
  Path neededFile(Located at) {
    return file(at).orElseThrow(() -> at.error("needs a file"));
  }

  /** A name of a job, a stream, a step or a barrier; without '/', so that references are clear. */
  String name(Located at) {
    String name = text(at);
    if (!name.matches(JobParser.NAME)) {
      throw at.error(
          "a name has 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first a letter or"
              + " digit");
    }
    return name;
  }

  /** True or false; false where nothing is given. */
  boolean flag(Located at) {
    String text = at == null ? "false" : text(at);
    if (!text.equals("true") && !text.equals("false")) {
      throw at.error("must be true or false");
    }
    return text.equals("true");
  }

  /**
   * A number of bytes; 0 where nothing is given.
   *
   * @param max {@link Long#MAX_VALUE} for any
   */
  long bytes(Located at, long min, long max) {
    if (at == null) {
      return 0;
    }
    OptionalLong value = Numbers.size(text(at));
    if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
      throw at.error(
          "must be a number of bytes"
              + (max == Long.MAX_VALUE ? ", " + min + " or more" : " from " + min + " to " + max)
              + " ("
              + ByteSize.SUFFIXES
              + ")");
    }
    return value.getAsLong();
  }

  /**
   * One of several words.
   *
   * @param names what each stands for is called
   */
  <T> T choice(Located at, List<T> values, Function<T, String> names) {
    return choice(at, text(at), values, names);
  }

  /** As the other, of a text that is given. */
  static <T> T choice(Located at, String text, List<T> values, Function<T, String> names) {
    return values.stream()
        .filter(value -> names.apply(value).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                at.error(
                    "'"
                        + text
                        + "' is not one of "
                        + values.stream().map(names).collect(Collectors.joining(", "))));
  }

  /** A whole number. */
  long whole(Located at, long min, long max) {
    OptionalLong value = Numbers.whole(text(at));
    if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
      throw at.error("must be a whole number from " + min + " to " + max);
    }
    return value.getAsLong();
  }

  /** The value of a parameter, or of a formula over those that are numbers. */
  private String value(String inner, Located at) {
    String value = values.get(inner);
    if (value != null) {
      return value;
    }
    if (inner.matches(NAME)) {
      throw at.error("${" + inner + "}: unknown parameter; " + describe());
    }
    Map<String, Rational> numbers = new LinkedHashMap<>();
    definitions.forEach(
        (name, parameter) -> {
          if (parameter.type().isNumber()) {
            numbers.put(name.replace('-', '_'), Numbers.exact(values.get(name)).orElseThrow());
          }
        });
    try {
      return Expression.parse(inner, numbers.keySet()).exact(numbers).decimal();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw at.error("${" + inner + "}: " + e.getMessage());
    }
  }

  /** The text of a value with each {@code ${name}} replaced; {@code $${} stands for {@code ${}. */
  String text(Located at) {
    String raw = at.text();
    StringBuilder out = new StringBuilder(raw.length());
    int from = 0;
    for (int i = raw.indexOf("${"); i >= 0; i = raw.indexOf("${", from)) {
      if (i > from && raw.charAt(i - 1) == '$') {
        out.append(raw, from, i - 1).append("${");
        from = i + 2;
        continue;
      }
      int end = raw.indexOf('}', i);
      if (end < 0) {
        throw at.error("'${' without '}'");
      }
      out.append(raw, from, i).append(value(raw.substring(i + 2, end), at));
      from = end + 1;
    }
    if (out.append(raw, from, raw.length()).length() > Located.MAX_TEXT) {
      throw at.error(
          "is longer than "
              + Located.MAX_TEXT
              + " characters after its parameters are replaced by their values");
    }
    return out.toString();
  }
}
