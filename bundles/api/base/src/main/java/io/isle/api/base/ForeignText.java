package io.isle.api.base;

/**
 * Makes text from outside the platform, such as of drivers and their compilers, fit to be shown.
 * Pure functions.
 */
public final class ForeignText {
  /** Most characters of a build log: what a driver host can tell. */
  public static final int MAX_LOG = 16_384;

  static final int MAX_LINE = 500;

  private static final String ESCAPES = "\u001b\\[[0-9;?]*[ -/]*[@-~]";

  private ForeignText() {}

  /**
   * Lines without control characters, at most {@link #MAX_LOG}: of a longer text the beginning,
   * where compilers tell what went wrong first.
   */
  public static String lines(String text) {
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

  /** The same in one line of at most {@link #MAX_LINE} characters. */
  public static String line(String text) {
    String clean = lines(text).replaceAll("\\s*\n\\s*", "; ").replace('\t', ' ');
    return clean.length() > MAX_LINE ? cut(clean, MAX_LINE) + "..." : clean;
  }

  /** Not within a surrogate pair. */
  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }
}
