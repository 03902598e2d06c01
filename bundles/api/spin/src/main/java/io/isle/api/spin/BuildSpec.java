package io.isle.api.spin;

import io.isle.api.base.Errno;
import java.nio.file.Path;
import java.util.List;

/**
 * Sources of handlers in C. Immutable.
 *
 * @param sources files, 1 to {@link #MAX_SOURCES}, absolute
 * @param options of the compiler, at most {@link #MAX_OPTIONS}, each with what belongs to it, such
 *     as {@code -DDO_HOST=1}; {@code -D}, {@code -I} and {@code -O} are possible
 */
public record BuildSpec(List<Path> sources, List<String> options) {
  /** Most source files. */
  public static final int MAX_SOURCES = 64;

  /** Most options. */
  public static final int MAX_OPTIONS = 64;

  /** Checks both. */
  public BuildSpec {
    sources = List.copyOf(sources);
    options = List.copyOf(options);
    if (sources.isEmpty() || sources.size() > MAX_SOURCES) {
      throw invalid(sources.size() + " source files; 1 to " + MAX_SOURCES + " are possible");
    }
    for (Path source : sources) {
      if (!source.isAbsolute()) {
        throw invalid("the source file " + source + " is not absolute");
      }
    }
    if (options.size() > MAX_OPTIONS) {
      throw invalid(options.size() + " options; at most " + MAX_OPTIONS + " are possible");
    }
    for (String option : options) {
      if (!option.matches("-[DIO][^\\p{Cntrl}]+")) {
        throw invalid("'" + option + "' is not an option; there are -D, -I and -O");
      }
    }
  }

  private static SpinException invalid(String message) {
    return new SpinException(Errno.EINVAL, message);
  }
}
