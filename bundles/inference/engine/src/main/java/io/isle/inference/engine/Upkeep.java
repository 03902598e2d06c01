package io.isle.inference.engine;

import io.isle.api.base.MonotonicClock;
import io.isle.inference.engine.settings.EngineSettings;

/** When the engine looks after keys and kept models. One thread at a time. */
final class Upkeep {
  private final MonotonicClock clock;
  private long lastKeys;
  private long lastReload;

  /** The first of each comes after the time between two. */
  Upkeep(MonotonicClock clock) {
    this.clock = clock;
    lastKeys = clock.nanoTime();
    lastReload = lastKeys;
  }

  /** Whether to look at the trusted keys now; true once for each time. */
  boolean keysAreDue(EngineSettings settings) {
    long now = clock.nanoTime();
    boolean due = now - lastKeys >= settings.keysNs();
    lastKeys = due ? now : lastKeys;
    return due;
  }

  /** Whether to try kept models again now; true once for each time. */
  boolean reloadIsDue(EngineSettings settings) {
    long now = clock.nanoTime();
    boolean due = now - lastReload >= settings.reloadNs();
    lastReload = due ? now : lastReload;
    return due;
  }
}
