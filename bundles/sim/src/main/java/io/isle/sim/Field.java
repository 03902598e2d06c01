package io.isle.sim;

import io.isle.lib.yaml.YamlNode;
import io.isle.lib.yaml.YamlValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** A value of the file that knows where it stands, so that each mistake can say so. */
final class Field extends YamlValue<Field> {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern REAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  Field(YamlNode at) {
    super(at, Field::new);
  }

  /** A mistake in the form, here. */
  @Override
  public SimException error(String message) {
    return SimException.usage(located(message));
  }

  /** What stands here is well formed, and refused as it would be live. */
  SimException refused(String message) {
    return SimException.failed(located(message));
  }

  /** Entries in the order of the file, with keys of the author's choice. */
  Map<String, Field> entries(int max) {
    Map<String, Field> entries = entries();
    if (entries.size() > max) {
      throw error("has " + entries.size() + " entries; the limit is " + max);
    }
    return entries;
  }

  /** A key that must be there. */
  Field needed(Map<String, Field> entries, String key) {
    Field field = entries.get(key);
    if (field == null) {
      throw error("the key '" + key + "' is missing");
    }
    return field;
  }

  List<Field> sequence(int min, int max) {
    List<Field> items = items();
    if (items.size() < min || items.size() > max) {
      throw error("has " + items.size() + " entries; " + min + " to " + max + " are allowed");
    }
    return items;
  }

  /** A value of a group's key: what stands in a settings file; nothing is the empty text. */
  String setting() {
    return isEmpty() ? "" : text();
  }

  long whole(long min, long max) {
    String text = text();
    if (!WHOLE.matcher(text).matches()) {
      throw error("'" + text + "' is not a whole number");
    }
    // longer than a long is out of every range
    BigInteger whole = new BigInteger(text);
    long value = whole.bitLength() < Long.SIZE ? whole.longValue() : max;
    if (whole.bitLength() >= Long.SIZE || value < min || value > max) {
      throw error(text + " is not within " + min + " to " + max);
    }
    return value;
  }

  /** A number from 0 to 1. */
  double fraction() {
    String text = text();
    if (!REAL.matcher(text).matches()) {
      throw error("'" + text + "' is not a number from 0 to 1, such as 0.01");
    }
    double value = Double.parseDouble(text);
    if (value > 1) {
      throw error(text + " is not within 0 to 1");
    }
    return value;
  }

  boolean flag() {
    return switch (text()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw error("'" + text() + "' is neither true nor false");
    };
  }

  /** One of an enum's names in lower case. */
  <E extends Enum<E>> E oneOf(Class<E> type) {
    List<String> names = new ArrayList<>();
    for (E value : type.getEnumConstants()) {
      String name = value.name().toLowerCase(Locale.ROOT);
      if (name.equals(text())) {
        return value;
      }
      names.add(name);
    }
    throw error("'" + text() + "' is not one of " + String.join(", ", names));
  }

  /** A time such as 20us or 1.5s, in nanoseconds. */
  long duration(long min, long max) {
    long ns =
        Durations.parse(text())
            .orElseThrow(
                () -> error("'" + text() + "' is not a time; write 500ns, 20us, 1.5ms or 10s"));
    if (ns < min || ns > max) {
      throw error(text() + " is not within " + Durations.text(min) + " to " + Durations.text(max));
    }
    return ns;
  }
}
