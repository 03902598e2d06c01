package io.isle.inference.engine.fallback;

/** The retries of one fallback: each is one real call. */
final class Retries {
  private long last;
  private boolean atOnce;
  private boolean urgent;
  private int successes;

  /** The first one comes after the time between two. */
  void begin(long now) {
    last = now;
    atOnce = false;
    urgent = false;
    successes = 0;
  }

  /** Those that come at once until one fails. */
  void hurry() {
    atOnce = true;
    urgent = true;
    successes = 0;
  }

  /** Something went wrong meanwhile. */
  void restart() {
    successes = 0;
  }

  int successes() {
    return successes;
  }

  /** Whether the next call is one; if so, another one follows should this one never end. */
  boolean isDue(FallbackTimes times, long now) {
    if (!atOnce && now - last < times.retryNs()) {
      return false;
    }
    last = now;
    atOnce = false;
    return true;
  }

  /** One has ended; true if enough in a row went well. */
  boolean ended(boolean success, FallbackTimes times, long now) {
    successes = success ? successes + 1 : 0;
    urgent &= success;
    atOnce = urgent;
    last = now;
    return successes >= times.successes();
  }
}
