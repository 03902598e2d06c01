package io.isle.core.agents;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values by patterns of names, where {@code *} stands for any characters. Of those that match a
 * name the most specific holds: with the most characters that are no {@code *}, then with the
 * fewest {@code *}, then the first. Immutable.
 *
 * @param entries the most specific first
 */
record NamePatterns<V>(List<Entry<V>> entries) {
  private static final Pattern ENTRY = Pattern.compile("([a-z0-9*_-]{1,64})\\s+(\\S.*)");
  private static final int SHOWN = 64;

  /**
   * @param pattern characters of names, and {@code *}
   */
  record Entry<V>(String pattern, V value) {
    long stars() {
      return pattern.chars().filter(c -> c == '*').count();
    }

    long others() {
      return pattern.length() - stars();
    }
  }

  NamePatterns {
    entries = List.copyOf(entries);
  }

  /**
   * Reads {@code PATTERN VALUE, PATTERN VALUE}.
   *
   * @param example of an entry
   * @param value reads a value; throws IllegalArgumentException saying what may stand there
   * @throws IllegalArgumentException naming the entry that is wrong
   */
  static <V> NamePatterns<V> parse(String text, String example, Function<String, V> value) {
    List<Entry<V>> all = new ArrayList<>();
    for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
      String said = entry.strip();
      Matcher matcher = ENTRY.matcher(said);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "'" + shown(said) + "' is not of the form NAME VALUE, such as: " + example);
      }
      String pattern = matcher.group(1);
      if (all.stream().anyMatch(other -> other.pattern().equals(pattern))) {
        throw new IllegalArgumentException(pattern + " is given twice");
      }
      try {
        all.add(new Entry<>(pattern, value.apply(matcher.group(2))));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(pattern + ": " + e.getMessage(), e);
      }
    }
    all.sort(Comparator.comparing((Entry<V> entry) -> -entry.others()).thenComparing(Entry::stars));
    return new NamePatterns<>(all);
  }

  /** What a message repeats of a text: its beginning, without control characters. */
  static String shown(String text) {
    String start = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  Optional<V> find(String name) {
    return entries.stream()
        .filter(entry -> matches(entry.pattern(), name))
        .findFirst()
        .map(Entry::value);
  }

  /** In time of the product of both lengths, whatever the pattern. */
  private static boolean matches(String pattern, String name) {
    int p = 0;
    int star = -1;
    int tried = 0;
    int n = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        tried = n;
      } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++tried;
      } else {
        return false;
      }
    }
    return pattern.substring(p).chars().allMatch(c -> c == '*');
  }
}
