package io.isle.apps.chaos.check;

import java.util.List;
import java.util.Map;

/**
 * What a ledger shows.
 *
 * @param submitted accepted submissions
 * @param codes how many ended with each code, 0 included; codes are positive
 * @param checked ended with 0 and compared
 * @param problems some lines for each sort of violation
 */
public record Verdict(
    long submitted,
    Map<Integer, Long> codes,
    long checked,
    long refused,
    long lost,
    long doubled,
    long wrong,
    long illegal,
    long disagreeing,
    List<String> problems) {
  /** How many ended with {@code code}, positive. */
  public long ended(int code) {
    return codes.getOrDefault(code, 0L);
  }

  /** All that ended. */
  public long ended() {
    return codes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether nothing was violated. */
  public boolean clean() {
    return problems.isEmpty();
  }
}
