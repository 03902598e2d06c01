package io.isle.core.drivers.supervision;

import io.isle.core.drivers.recovery.RecoveryRun;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Devices whose driver went and whose contexts wait for the next one. Thread-safe. */
public final class Departures {
  private final Map<String, Departure> waiting = new ConcurrentHashMap<>();

  /**
   * What the next driver of a device has to know.
   *
   * @param run the recovery that it ends, if one is under way
   */
  record Departure(Optional<RecoveryRun> run, boolean suspended) {}

  void leave(String device, Departure departure) {
    waiting.put(device, departure);
  }

  /** No next driver has to know anything. */
  public void drop(String device) {
    var ignored = waiting.remove(device);
  }

  Optional<Departure> take(String device) {
    return Optional.ofNullable(waiting.remove(device));
  }
}
