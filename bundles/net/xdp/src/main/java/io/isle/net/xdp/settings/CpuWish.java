package io.isle.net.xdp.settings;

import io.isle.lib.ffi.ThreadAffinity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Processors of tiles as the settings have them. Immutable.
 *
 * @param auto whether the net chooses
 * @param processors the processor of each tile; empty for any, or if the net chooses
 */
public record CpuWish(boolean auto, List<Integer> processors) {
  private static final String AUTO = "auto";
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");

  /** Copies the list. */
  public CpuWish {
    processors = List.copyOf(processors);
  }

  /** Such as {@code auto} or {@code 2,3}; empty for any. */
  public String text() {
    return auto ? AUTO : processors.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** As {@link #read(String, int, Set)}, with the processors of this process. */
  static CpuWish read(String text, int tiles) {
    return read(text, tiles, text.isEmpty() ? Set.of() : ThreadAffinity.processors());
  }

  /**
   * Reads numbers and ranges, separated by commas or blanks, or {@code auto}.
   *
   * @param there processors that exist, and that this process may use
   * @throws io.isle.api.net.NetException EINVAL with the limit
   */
  static CpuWish read(String text, int tiles, Set<Integer> there) {
    if (text.equals(AUTO)) {
      return new CpuWish(true, List.of());
    }
    List<Integer> processors = new ArrayList<>();
    for (String part : text.split("[,\\s]+", -1)) {
      if (!part.isEmpty()) {
        range(part, there, processors);
      }
    }
    if (!processors.isEmpty() && processors.size() != tiles) {
      throw Values.refused(
          "cpu: "
              + processors.size()
              + " processors are given, and the net has "
              + tiles
              + " tiles; one a tile, or auto");
    }
    return new CpuWish(false, processors);
  }

  private static void range(String part, Set<Integer> there, List<Integer> into) {
    Matcher range = RANGE.matcher(part);
    if (!range.matches()) {
      throw Values.refused(
          "cpu: '" + Values.shown(part) + "' is neither a processor N, nor a range N-M, nor auto");
    }
    int first = Integer.parseInt(range.group(1));
    int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
    if (last < first) {
      throw Values.refused("cpu: the range " + part + " ends before it begins");
    }
    for (int processor = first; processor <= last; processor++) {
      if (!there.contains(processor)) {
        throw Values.refused(
            "cpu: processor "
                + processor
                + " does not exist, or is not allowed to this process; allowed are "
                + there.stream().sorted().map(String::valueOf).collect(Collectors.joining(",")));
      }
      into.add(processor);
    }
  }
}
