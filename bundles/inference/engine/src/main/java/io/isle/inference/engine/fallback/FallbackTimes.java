package io.isle.inference.engine.fallback;

/**
 * When a fallback is tried to be ended, and when it escalates, counted from its beginning
 * (accelerator framework, 45.6b.3).
 *
 * @param retryNs time between two retries
 * @param warningNs time until the warning
 * @param escalationNs time until the alert
 * @param autoDisableNs time until only an administrator ends it
 * @param escalationThreshold number of calls that the rule decided in a row, which brings the
 *     warning early
 * @param successes retries in a row that go well and end the fallback
 */
public record FallbackTimes(
    long retryNs,
    long warningNs,
    long escalationNs,
    long autoDisableNs,
    long escalationThreshold,
    int successes) {
  private static final long SECOND_NS = 1_000_000_000L;

  /** 10 s, 60 s, 300 s, 3600 s, ten million calls, three retries. */
  public static final FallbackTimes DEFAULT = ofSeconds(10, 60, 300, 3600, 10_000_000, 3);

  /** Checks that each step comes after the one before. */
  public FallbackTimes {
    after("retry", retryNs, "0", 0);
    after("warning", warningNs, "0", 0);
    after("escalation", escalationNs, "warning", warningNs);
    after("auto_disable", autoDisableNs, "escalation", escalationNs);
    after("escalation_threshold", escalationThreshold, "0", 0);
    after("successes", successes, "0", 0);
  }

  /** All times in seconds. */
  public static FallbackTimes ofSeconds(
      long retry, long warning, long escalation, long autoDisable, long threshold, int successes) {
    return new FallbackTimes(
        Math.multiplyExact(retry, SECOND_NS),
        Math.multiplyExact(warning, SECOND_NS),
        Math.multiplyExact(escalation, SECOND_NS),
        Math.multiplyExact(autoDisable, SECOND_NS),
        threshold,
        successes);
  }

  private static void after(String what, long value, String other, long least) {
    if (value <= least) {
      throw new IllegalArgumentException(what + " is " + value + ", not above " + other);
    }
  }
}
