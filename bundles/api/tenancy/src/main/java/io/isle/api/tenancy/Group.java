package io.isle.api.tenancy;

import java.util.Optional;
import java.util.SortedMap;

/**
 * A group in a {@link GroupTree}. Immutable.
 *
 * @param spec its place and its own keys
 * @param effective its own keys, and those of its ancestors that nothing nearer sets
 */
public record Group(GroupSpec spec, SortedMap<String, Value> effective) {
  /**
   * A value in force.
   *
   * @param text as it was set
   * @param from the group that sets it: this one, or the nearest ancestor that does
   */
  public record Value(String text, String from) {}

  public String name() {
    return spec.name();
  }

  /** Empty for the root. */
  public Optional<String> parent() {
    return spec.parent();
  }

  /** The keys that the group itself sets. */
  public SortedMap<String, String> own() {
    return spec.keys();
  }

  /** Its own value, or the nearest ancestor's; empty where the key's default holds. */
  public Optional<String> text(String key) {
    return Optional.ofNullable(effective.get(key)).map(Value::text);
  }
}
