package io.isle.apps.chaos.plan;

import java.util.Map;

/**
 * A device of a run.
 *
 * @param id such as {@code soft0}
 * @param tier in which it starts
 * @param moves whether it may be moved to the other tier
 * @param settings further settings of its file, as the tree shows them when they are in force
 */
public record Machine(
    String id, String driver, int tier, boolean moves, Map<String, String> settings) {
  public Machine {
    settings = Map.copyOf(settings);
  }

  /** Whether it has screens. */
  public boolean display() {
    return driver.equals("display");
  }

  /** Whether its driver is written in Java: what would end a process only loses the device. */
  public boolean java() {
    return driver.equals("sim");
  }
}
