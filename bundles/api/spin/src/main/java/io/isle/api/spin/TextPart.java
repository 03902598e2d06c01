package io.isle.api.spin;

/**
 * A part of what handlers have printed. Immutable.
 *
 * @param from position of the first character; later than asked for where text is kept no more
 * @param text printable characters and newlines
 */
public record TextPart(long from, String text) {
  /** Position behind the last character. */
  public long next() {
    return from + text.length();
  }
}
