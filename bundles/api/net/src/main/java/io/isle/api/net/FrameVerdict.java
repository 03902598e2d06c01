package io.isle.api.net;

import java.util.List;

/**
 * A program's decision about a frame. Immutable.
 *
 * @param code number of the kernel, such as 2 for PASS
 * @param nanos mean time of a run in nanoseconds
 */
public record FrameVerdict(int code, long nanos) {
  private static final List<String> NAMES = List.of("ABORTED", "DROP", "PASS", "TX", "REDIRECT");

  /** All names, by code. */
  public static List<String> names() {
    return NAMES;
  }

  /** Such as {@code PASS}; the number where the kernel has no name. */
  public String text() {
    return code >= 0 && code < NAMES.size() ? NAMES.get(code) : Integer.toUnsignedString(code);
  }
}
