package io.isle.core.accel.device;

import io.isle.api.driver.ProgramSources;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A build log in which the lines of the source that it names are quoted: many compilers name file
 * and line only. Pure functions.
 */
public final class QuotedLines {
  private static final int MOST = 5;
  private static final int LONGEST = 160;

  /** The name that drivers give to a source without one. */
  private static final String DEFAULT_NAME = "program.cl";

  private static final Pattern NAMED = Pattern.compile("#line (\\d{1,9}) \"([^\"\n]+)\"\n");
  private static final Pattern RENUMBERED = Pattern.compile("(?m)^[ \t]*#[ \t]*(?:line\\b|\\d)");
  private static final String BEFORE = "(?<![^\\s\"'(<,;])";
  private static final String LINE = ":(\\d{1,9})(?!\\d)";

  /** A text; its lines are counted from {@code first} on. */
  private record Text(String name, Pattern place, int first, String lines) {
    Text(String name, int first, String lines) {
      this(name, Pattern.compile(BEFORE + Pattern.quote(name) + LINE), first, lines);
    }

    /** Empty where it has no such line. */
    String line(int number) {
      return number < first
          ? ""
          : lines.lines().skip((long) number - first).findFirst().orElse("").strip();
    }
  }

  private QuotedLines() {}

  /**
   * The log with at most five lines of the source, each behind the line of the log that names it.
   */
  public static String of(String log, ProgramCode code) {
    List<Text> texts = texts(code);
    List<String> lines = log.lines().toList();
    Set<String> quoted = new HashSet<>();
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      all.append(lines.get(i)).append('\n');
      String next = i + 1 < lines.size() ? lines.get(i + 1).strip() : "";
      quote(lines.get(i), texts)
          .filter(quote -> !quote.endsWith("| " + next) && quoted.size() < MOST)
          .filter(quoted::add)
          .ifPresent(quote -> all.append(quote).append('\n'));
    }
    return all.toString();
  }

  private static Optional<String> quote(String line, List<Text> texts) {
    for (Text text : texts) {
      Matcher place = text.place.matcher(line);
      if (place.find()) {
        int number = Integer.parseInt(place.group(1));
        String source = text.line(number);
        return source.isEmpty() ? Optional.empty() : Optional.of(shown(number, source));
      }
    }
    return Optional.empty();
  }

  private static String shown(int number, String source) {
    String cut = source.length() > LONGEST ? source.substring(0, LONGEST) + "..." : source;
    return "    " + number + " | " + cut;
  }

  /** Texts whose lines have the numbers that compilers give them, long names first. */
  private static List<Text> texts(ProgramCode code) {
    Stream<Text> all =
        code.files().isEmpty()
            ? Stream.of(single(new String(code.bytes(), StandardCharsets.UTF_8)))
            : Stream.of(code.files(), code.headers()).flatMap(List::stream).map(QuotedLines::text);
    return all.filter(text -> !RENUMBERED.matcher(text.lines).find())
        .sorted(Comparator.comparing((Text text) -> text.name.length()).reversed())
        .toList();
  }

  private static Text text(ProgramSources.File file) {
    return new Text(file.name(), 1, new String(file.text(), StandardCharsets.UTF_8));
  }

  /** The first line may give it a name. */
  private static Text single(String source) {
    Matcher named = NAMED.matcher(source);
    return named.lookingAt()
        ? new Text(named.group(2), Integer.parseInt(named.group(1)), source.substring(named.end()))
        : new Text(DEFAULT_NAME, 1, source);
  }
}
