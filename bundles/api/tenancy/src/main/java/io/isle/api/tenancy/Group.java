package io.isle.api.tenancy;

import java.util.Optional;
import java.util.SortedMap;

/**
 * A group in a {@link GroupTree}. Immutable.
 *
 * @param spec position in the tree, and own keys
 * @param effective values in force: own keys and inherited keys
 */
public record Group(GroupSpec spec, SortedMap<String, Value> effective) {
  /**
   * A value in force.
   *
   * @param text the value
   * @param from the group that sets the value: this group, or the nearest ancestor with the key
   */
  public record Value(String text, String from) {}

  /** Name of the group. */
  public String name() {
    return spec.name();
  }

  /** Name of the parent; empty for the root. */
  public Optional<String> parent() {
    return spec.parent();
  }

  /** The keys that the group itself sets, with their values. */
  public SortedMap<String, String> own() {
    return spec.keys();
  }

  /** The value in force of a key; empty if the key's default applies. */
  public Optional<String> text(String key) {
    return Optional.ofNullable(effective.get(key)).map(Value::text);
  }
}
