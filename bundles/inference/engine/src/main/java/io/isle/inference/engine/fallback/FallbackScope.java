package io.isle.inference.engine.fallback;

import java.util.Objects;

/**
 * What a fallback concerns, never more: a model, the decisions of one group by it, or its use of
 * one device.
 *
 * @param model name of the decision
 * @param group empty for all groups
 * @param device empty without one
 */
public record FallbackScope(String model, String group, String device) {
  /** Checks that at most one of group and device is there. */
  public FallbackScope {
    Objects.requireNonNull(model, "model");
    if (!group.isEmpty() && !device.isEmpty()) {
      throw new IllegalArgumentException("a scope has a group or a device, not both");
    }
  }

  /** All decisions of a model. */
  public static FallbackScope ofModel(String model) {
    return new FallbackScope(model, "", "");
  }

  /** The decisions of one group. */
  public static FallbackScope ofGroup(String model, String group) {
    return new FallbackScope(model, group, "");
  }

  /** The use of one device. */
  public static FallbackScope ofDevice(String model, String device) {
    return new FallbackScope(model, "", device);
  }

  /** Whether a single group is meant. */
  public boolean isGroup() {
    return !group.isEmpty();
  }
}
