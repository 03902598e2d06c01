package io.isle.core.drivers.supervision;

import io.isle.core.drivers.recovery.RecoveryRun;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Devices whose driver went and whose contexts wait for the next one. Thread-safe. */
public final class PendingHandovers {
  private final Map<String, Handover> waiting = new ConcurrentHashMap<>();

  /**
   * What the next driver of a device has to know.
   *
   * @param run the recovery that it ends, if one is under way
   */
  record Handover(Optional<RecoveryRun> run, boolean suspended) {}

  void leave(String device, Handover handover) {
    waiting.put(device, handover);
  }

  /** No next driver has to know anything. */
  public void drop(String device) {
    var ignored = waiting.remove(device);
  }

  Optional<Handover> take(String device) {
    return Optional.ofNullable(waiting.remove(device));
  }
}
