package io.isle.inference.engine.fallback;

/** The retries of one fallback: each is one real call. */
final class Retries {
  /** Successful ones in a row that end the fallback. */
  static final int SUCCESSES = 3;

  private long next;
  private int successes;
  private boolean urgent;

  /** The first one comes after the time between two. */
  void begin(FallbackTimes times, long now) {
    next = now + times.retryNs();
    successes = 0;
    urgent = false;
  }

  /** Those that come at once until one fails. */
  void hurry(long now) {
    next = now;
    successes = 0;
    urgent = true;
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
    if (now - next < 0) {
      return false;
    }
    next = now + times.retryNs();
    return true;
  }

  /** One has ended; true if enough in a row went well. */
  boolean ended(boolean success, FallbackTimes times, long now) {
    successes = success ? successes + 1 : 0;
    urgent &= success;
    next = urgent ? now : now + times.retryNs();
    return successes == SUCCESSES;
  }
}
