package io.isle.core.devices;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A device id taken apart: driver name and number.
 *
 * @param number 0 to 999999, without leading zeros in the id
 */
record DeviceName(String driver, int number) {
  /** By driver, then number. */
  static final Comparator<DeviceName> ORDER =
      Comparator.comparing(DeviceName::driver).thenComparingInt(DeviceName::number);

  private static final Pattern DRIVER = Pattern.compile("[a-z][a-z0-9]{0,15}");
  private static final Pattern ID = Pattern.compile("([a-z][a-z0-9]{0,15}?)(0|[1-9][0-9]{0,5})");

  /** Parses an id; where the driver's own name ends in digits the number is the longest one. */
  static Optional<DeviceName> parse(String id) {
    Matcher matcher = ID.matcher(id);
    return matcher.matches()
        ? Optional.of(new DeviceName(matcher.group(1), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  /**
   * Parses an id whose driver is known: a name that ends in digits ({@code dev2}) is then told from
   * a number.
   */
  static Optional<DeviceName> parse(String id, String driver) {
    if (!id.startsWith(driver)) {
      return Optional.empty();
    }
    String number = id.substring(driver.length());
    return number.matches("0|[1-9][0-9]{0,5}")
        ? Optional.of(new DeviceName(driver, Integer.parseInt(number)))
        : Optional.empty();
  }

  static boolean isDriverName(String name) {
    return DRIVER.matcher(name).matches();
  }

  String id() {
    return driver + number;
  }
}
