package io.isle.api.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A parameter of a {@link JobAction}. Immutable.
 *
 * @param kind what values look like
 * @param needed whether a step must give a value, as long as there is no {@code preset}
 * @param preset value of a step that gives none, in the notation of job files
 * @param min least value of {@link Kind#WHOLE}
 * @param max greatest value of {@link Kind#WHOLE}
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
  /** What a value looks like. */
  public enum Kind {
    /** Any text. */
    TEXT,

    /** One of some words. */
    CHOICE,

    /** {@code true} or {@code false}. */
    FLAG,

    /** A whole number, or a size such as {@code 64KiB}. */
    WHOLE,

    /** A finite number. */
    NUMBER,

    /** A file that the step reads; it is there, or an earlier step of the job writes it. */
    FILE,

    /** A file that the step writes; an empty text means none where the parameter is optional. */
    OUT
  }

  public ActionParameter {
    if (!name.matches(JobAction.NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no name of a parameter");
    }
    choices = List.copyOf(choices);
  }

  /** A parameter without bounds that a step must give. */
  public static ActionParameter of(String name, Kind kind) {
    return new ActionParameter(
        name, kind, true, Optional.empty(), Long.MIN_VALUE, Long.MAX_VALUE, List.of());
  }

  /** A whole number between bounds that a step must give. */
  public static ActionParameter whole(String name, long min, long max) {
    return new ActionParameter(name, Kind.WHOLE, true, Optional.empty(), min, max, List.of());
  }

  /** One of some words, which a step must give. */
  public static ActionParameter choice(String name, String... choices) {
    return new ActionParameter(name, Kind.CHOICE, true, Optional.empty(), 0, 0, List.of(choices));
  }

  /** The same, with a value for steps that give none. */
  public ActionParameter orElse(String value) {
    return new ActionParameter(name, kind, false, Optional.of(value), min, max, choices);
  }

  /** The same for steps that may leave it out: {@link ActionValues#has} tells. */
  public ActionParameter optional() {
    return new ActionParameter(name, kind, false, Optional.empty(), min, max, choices);
  }
}
