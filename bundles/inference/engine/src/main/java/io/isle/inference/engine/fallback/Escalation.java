package io.isle.inference.engine.fallback;

/** The steps of one fallback. */
final class Escalation {
  private FallbackStep step = FallbackStep.NONE;
  private long since;
  private long calls;

  /** Begins anew, without a step. */
  void begin(long now) {
    since = now;
    step = FallbackStep.NONE;
  }

  /** The fallback has ended. */
  void end() {
    step = FallbackStep.NONE;
    calls = 0;
  }

  void restore(long at, FallbackStep reached) {
    since = at;
    step = reached;
  }

  /** Calls of the fallback so far. */
  long calls() {
    return calls;
  }

  void addCalls(long more) {
    calls += more;
  }

  FallbackStep step() {
    return step;
  }

  /** Whether no time and no call ends the fallback any more. */
  boolean isOver() {
    return step == FallbackStep.AUTO_DISABLED;
  }

  /** Time that counts for the steps. */
  long lasted(long now) {
    return now - since;
  }

  /** Takes the next step if it is due. */
  boolean advances(FallbackTimes times, long now) {
    long lasted = lasted(now);
    boolean due =
        switch (step) {
          case NONE -> lasted >= times.warningNs() || calls >= times.escalationThreshold();
          case WARNING -> lasted >= times.escalationNs();
          case CRITICAL -> lasted >= times.autoDisableNs();
          case AUTO_DISABLED -> false;
        };
    if (due) {
      step = FallbackStep.values()[step.ordinal() + 1];
    }
    return due;
  }
}
