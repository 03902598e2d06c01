package io.isle.fabric.ring.settings;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address of a path, such as {@code tcp://127.0.0.1:9999}. Immutable.
 *
 * @param transport scheme, the name of the transport
 * @param place the part behind {@code ://}
 */
public record PathAddress(String transport, String place) {
  private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9]{0,15})://(\\S{1,255})");

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if the text is no address
   */
  public static PathAddress of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an address such as tcp://127.0.0.1:9999");
    }
    return new PathAddress(form.group(1), form.group(2));
  }

  @Override
  public String toString() {
    return transport + "://" + place;
  }
}
