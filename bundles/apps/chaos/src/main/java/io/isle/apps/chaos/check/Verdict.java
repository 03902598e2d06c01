package io.isle.apps.chaos.check;

import io.isle.api.base.Errno;
import io.isle.api.chaos.ChaosReport;
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

  /** As counts of a report. */
  ChaosReport.Work work() {
    return new ChaosReport.Work(
        submitted,
        ended(0),
        checked,
        ended(Errno.EINTR),
        ended(Errno.ETIMEDOUT),
        ended(Errno.ENODATA),
        ended(Errno.ENODEV),
        ended(Errno.ECLOSED),
        ended(Errno.EIO),
        refused,
        lost,
        doubled,
        wrong,
        illegal,
        disagreeing);
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
