package io.isle.faces.shell.display;

import io.isle.api.device.DisplayMode;
import io.isle.faces.shell.ShellException;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A mode as people name it: {@code preferred}, {@code 1920x1080} or {@code 1920x1080@59.94}. */
final class ModeChoice {
  static final String PREFERRED = "preferred";
  private static final Pattern NAME =
      Pattern.compile("([1-9][0-9]{0,4})x([1-9][0-9]{0,4})(?:@([0-9]{1,4}(?:\\.[0-9]{1,3})?))?");

  /** A rate of 60 Hz is asked for as 60, also where it is 59.94. */
  private static final int TOLERANCE_MILLIHERTZ = 500;

  private ModeChoice() {}

  /**
   * The mode that is meant: of several rates the nearest to the one given, else the highest.
   *
   * @throws ShellException as a usage error when it is no name; as a failure when there is none
   */
  static DisplayMode of(String text, List<DisplayMode> modes) {
    if (text.equals(PREFERRED)) {
      return modes.stream()
          .filter(DisplayMode::preferred)
          .findFirst()
          .or(() -> modes.stream().findFirst())
          .orElseThrow(() -> none(text, modes));
    }
    Matcher name = NAME.matcher(text);
    if (!name.matches()) {
      throw ShellException.usage(
          "mode '" + text + "' is not WIDTHxHEIGHT, WIDTHxHEIGHT@HZ or " + PREFERRED);
    }
    List<DisplayMode> sized =
        modes.stream()
            .filter(mode -> mode.width() == Integer.parseInt(name.group(1)))
            .filter(mode -> mode.height() == Integer.parseInt(name.group(2)))
            .toList();
    if (name.group(3) == null) {
      return sized.stream()
          .max(Comparator.comparingInt(DisplayMode::refreshMillihertz))
          .orElseThrow(() -> none(text, modes));
    }
    int wanted = new BigDecimal(name.group(3)).movePointRight(3).intValueExact();
    return sized.stream()
        .filter(mode -> distance(mode, wanted) <= TOLERANCE_MILLIHERTZ)
        .min(Comparator.comparingInt(mode -> distance(mode, wanted)))
        .orElseThrow(() -> none(text, modes));
  }

  private static int distance(DisplayMode mode, int wanted) {
    return Math.abs(mode.refreshMillihertz() - wanted);
  }

  private static ShellException none(String text, List<DisplayMode> modes) {
    return ShellException.failed(
        "no mode "
            + text
            + (modes.isEmpty()
                ? "; no screen is plugged into the connector"
                : "; the screen's modes are "
                    + String.join(", ", modes.stream().map(DisplayMode::text).toList())));
  }
}
