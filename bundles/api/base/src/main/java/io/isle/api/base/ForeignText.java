package io.isle.api.base;

/**
 * Cleans text from outside of the platform, such as messages of drivers and compilers, for display.
 * Pure functions, safe for any thread.
 */
public final class ForeignText {
  /** Longest build log in characters, the limit of a driver host's answer. */
  public static final int MAX_LOG = 16_384;

  /** Longest line in characters. */
  static final int MAX_LINE = 500;

  private static final String ESCAPES = "\u001b\\[[0-9;?]*[ -/]*[@-~]";

  private ForeignText() {}

  /**
   * Removes control characters and shortens the text to {@link #MAX_LOG} characters. Compilers
   * report the first error at the beginning, so the beginning is kept.
   *
   * @return lines separated by line feeds
   */
  public static String lines(String text) {
    if (text.length() <= MAX_LOG && text.chars().allMatch(one -> one >= ' ' && one <= '~')) {
      return text.strip();
    }
    String clean =
        cut(text, MAX_LOG)
            .replaceAll(ESCAPES, "")
            .replaceAll("\r\n?", "\n")
            .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}&&[^\n\t]]", "?")
            .strip();
    return text.length() > MAX_LOG
        ? clean + "\n(" + (text.length() - MAX_LOG) + " characters more)"
        : clean;
  }

  /** As {@link #lines}, joined to one line of at most {@link #MAX_LINE} characters. */
  public static String line(String text) {
    String clean = lines(text).replaceAll("\\s*\n\\s*", "; ").replace('\t', ' ');
    return clean.length() > MAX_LINE ? cut(clean, MAX_LINE) + "..." : clean;
  }

  /** Cuts a text, never inside a surrogate pair. */
  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }
}
