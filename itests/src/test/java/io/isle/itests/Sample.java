package io.isle.itests;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a page says that a command prints, against what the command prints. Numbers, their units of
 * time and memory, and the widths of columns may differ.
 */
final class Sample {
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])\\d+(?:\\.\\d+)?(?:%| ?(?:ns|us|ms|s|B|KiB|MiB|GiB))?(?![\\w.])");

  /** In place of the rest of a line, and thus of other lines like it. */
  private static final String REST = "...";

  private static final String OF_A_SUMMARY = "# ";

  private final List<String> lines;

  Sample(List<String> lines) {
    this.lines = lines.stream().map(Sample::plain).toList();
  }

  /**
   * Which of its lines is not printed, or what is printed beside them; empty if they agree. Lines
   * of a job's summary must be all of the summary; lines of other output are found in their order,
   * other lines between them.
   */
  String difference(String printed) {
    boolean summary = lines.stream().allMatch(line -> line.startsWith(OF_A_SUMMARY));
    List<String> actual =
        printed
            .lines()
            .map(Sample::plain)
            .filter(line -> !summary || line.startsWith(OF_A_SUMMARY))
            .toList();
    boolean all = summary && lines.stream().noneMatch(line -> line.endsWith(REST));
    int found = 0;
    for (String line : actual) {
      if (found < lines.size() && matches(lines.get(found), line)) {
        found++;
      } else if (all) {
        return "the page lacks '" + line + "'";
      }
    }
    return found == lines.size() ? "" : "'" + lines.get(found) + "' is not printed";
  }

  private static boolean matches(String sample, String line) {
    return sample.endsWith(REST)
        ? line.startsWith(sample.substring(0, sample.length() - REST.length()).strip())
        : line.equals(sample);
  }

  private static String plain(String line) {
    return NUMBER.matcher(line).replaceAll("N").strip().replaceAll("\\s+", " ");
  }
}
