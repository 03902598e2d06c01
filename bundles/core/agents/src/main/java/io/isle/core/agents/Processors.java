package io.isle.core.agents;

import io.isle.lib.ffi.ThreadAffinity;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of processors, as settings have them. */
final class Processors {
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");

  private Processors() {}

  /**
   * Reads {@code N N-M}.
   *
   * @param there which there are
   * @throws IllegalArgumentException saying what may stand there
   */
  static Set<Integer> parse(String text, Set<Integer> there) {
    Set<Integer> all = new TreeSet<>();
    for (String part : text.split("\\s+")) {
      Matcher range = RANGE.matcher(part);
      int first = range.matches() ? Integer.parseInt(range.group(1)) : 0;
      int last =
          !range.matches() || range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (!range.matches() || last < first || last > ThreadAffinity.MOST) {
        throw new IllegalArgumentException(
            "'" + NamePatterns.shown(part) + "' is neither a processor N nor a range N-M");
      }
      for (int processor = first; processor <= last; processor++) {
        boolean ignored = all.add(processor);
      }
    }
    for (int processor : all) {
      if (!there.contains(processor)) {
        throw new IllegalArgumentException(
            "processor "
                + processor
                + " does not exist or is not allowed to this process; allowed are "
                + text(there));
      }
    }
    return all;
  }

  /** In order, with ranges, such as {@code 0-3 8}. */
  static String text(Set<Integer> processors) {
    StringBuilder text = new StringBuilder();
    for (int processor : new TreeSet<>(processors)) {
      if (!processors.contains(processor - 1)) {
        int last = processor;
        while (processors.contains(last + 1)) {
          last++;
        }
        text.append(text.isEmpty() ? "" : " ").append(processor);
        text.append(last == processor ? "" : "-" + last);
      }
    }
    return text.toString();
  }
}
