package io.isle.api.observe;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A figure for monitoring, at one time. Immutable.
 *
 * @param name {@code isle_}, then words of {@code [a-z0-9_]}; a counter ends with {@code _total}
 * @param kind how the value changes
 * @param help a phrase about all figures of this name
 * @param labels what tells figures of one name apart, in a fixed order, by names of {@code [a-z_]}
 * @param value in seconds, bytes, or a count
 */
public record Metric(
    String name, Kind kind, String help, Map<String, String> labels, double value) {
  private static final String NAME = "isle_[a-z0-9_]{1,100}";
  private static final String LABEL = "[a-z][a-z_]{0,30}";

  /** How a value changes. */
  public enum Kind {
    /** Grows, and begins at 0 again when its object is made anew. */
    COUNTER,
    /** Goes up and down. */
    GAUGE;

    /** Lower case, as in files and JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Refuses names that monitoring could not read; copies the labels. */
  public Metric {
    if (!name.matches(NAME) || !labels.keySet().stream().allMatch(key -> key.matches(LABEL))) {
      throw new IllegalArgumentException(name + labels.keySet() + " is no name of a metric");
    }
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }
}
