package io.isle.faces.shell.display;

/** What a screen of any size shows: a colour, red, green and blue, for each pixel. */
interface Painting {
  /** Eight bars: white, yellow, cyan, green, magenta, red, blue, black. */
  Painting BARS =
      (x, y, width, height) -> {
        int bar = 7 - x * 8 / width;
        return ((bar & 2) != 0 ? 0xff0000 : 0)
            | ((bar & 4) != 0 ? 0x00ff00 : 0)
            | ((bar & 1) != 0 ? 0x0000ff : 0);
      };

  int rgb(int x, int y, int width, int height);

  /**
   * Whether a screen can show all of it.
   *
   * @throws io.isle.faces.shell.ShellException when it is too small
   */
  default void check(int width, int height) {}

  /** The same colour everywhere. */
  static Painting of(int rgb) {
    return (x, y, width, height) -> rgb;
  }
}
