package io.isle.faces.shell.display;

import java.util.function.IntBinaryOperator;

/** What a screen of any size shows. */
interface Painting {
  /** Eight bars: white, yellow, cyan, green, magenta, red, blue, black. */
  Painting BARS =
      (width, height) ->
          (x, y) -> {
            int bar = 7 - x * 8 / width;
            return ((bar & 2) != 0 ? 0xff0000 : 0)
                | ((bar & 4) != 0 ? 0x00ff00 : 0)
                | ((bar & 1) != 0 ? 0x0000ff : 0);
          };

  /**
   * For a screen of that size: column and line to red, green and blue in the lower 24 bits.
   *
   * @throws io.isle.faces.shell.ShellException when it cannot be shown there
   */
  IntBinaryOperator on(int width, int height);

  /** The same colour everywhere. */
  static Painting of(int rgb) {
    return (width, height) -> (x, y) -> rgb;
  }
}
