package io.isle.api.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A parameter of a {@link JobAction}, a {@link SetupKind} or a {@link SetupEvent}. Immutable.
 *
 * @param name name of the parameter
 * @param kind kind of values
 * @param needed whether a step must have the parameter, unless {@code preset} has a value
 * @param preset default value, in the notation of job files
 * @param min smallest value of {@link Kind#WHOLE}
 * @param max largest value of {@link Kind#WHOLE}
 * @param choices values of {@link Kind#CHOICE}
 */
public record ActionParameter(
    String name,
    Kind kind,
    boolean needed,
    Optional<String> preset,
    long min,
    long max,
    List<String> choices) {
  /** Kinds of values. */
  public enum Kind {
    /** Any text. */
    TEXT,

    /** One of the choices. */
    CHOICE,

    /** {@code true} or {@code false}. */
    FLAG,

    /** A whole number, or a size such as {@code 64KiB}. */
    WHOLE,

    /** A finite number. */
    NUMBER,

    /** A file that the step reads: an existing file, or an output of an earlier step of the job. */
    FILE,

    /** A file that the step writes; an empty text means no file if the parameter is optional. */
    OUT
  }

  public ActionParameter {
    if (!name.matches(JobAction.NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no name of a parameter");
    }
    choices = List.copyOf(choices);
  }

  /** A required parameter. */
  public static ActionParameter of(String name, Kind kind) {
    return new ActionParameter(
        name, kind, true, Optional.empty(), Long.MIN_VALUE, Long.MAX_VALUE, List.of());
  }

  /** A required whole number from {@code min} to {@code max}. */
  public static ActionParameter whole(String name, long min, long max) {
    return new ActionParameter(name, Kind.WHOLE, true, Optional.empty(), min, max, List.of());
  }

  /** A required choice. */
  public static ActionParameter choice(String name, String... choices) {
    return new ActionParameter(name, Kind.CHOICE, true, Optional.empty(), 0, 0, List.of(choices));
  }

  /** A copy with a default value. */
  public ActionParameter orElse(String value) {
    return new ActionParameter(name, kind, false, Optional.of(value), min, max, choices);
  }

  /** A copy that steps may omit; see {@link ActionValues#has}. */
  public ActionParameter optional() {
    return new ActionParameter(name, kind, false, Optional.empty(), min, max, choices);
  }
}
