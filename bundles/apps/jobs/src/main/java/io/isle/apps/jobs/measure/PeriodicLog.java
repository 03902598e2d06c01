package io.isle.apps.jobs.measure;

import io.isle.api.accel.Completion;
import io.isle.api.jobs.Measured;
import java.util.Arrays;

/** How a step's submissions kept to their period. Thread-safe. */
public final class PeriodicLog implements WorkListener {
  private final String stream;
  private final String step;
  private final String priority;
  private final long periodNs;
  private long[] latencies = new long[1024];
  private int count;
  private long submissions;
  private long kept;

  PeriodicLog(String stream, String step, String priority, long periodNs) {
    this.stream = stream;
    this.step = step;
    this.priority = priority;
    this.periodNs = periodNs;
  }

  public synchronized void submitted() {
    submissions++;
  }

  @Override
  public synchronized void ended(long sinceNs, Completion completion) {
    if (completion.status() != 0) {
      return;
    }
    if (count == latencies.length) {
      latencies = Arrays.copyOf(latencies, 2 * count);
    }
    long latency = Math.max(0, completion.endNs() - sinceNs);
    latencies[count++] = latency;
    if (latency <= periodNs) {
      kept++;
    }
  }

  /** Of a submission whose end nobody told, nothing is known: it is a miss. */
  synchronized Measured.PeriodicTimes times() {
    long[] sorted = Arrays.copyOf(latencies, count);
    Arrays.sort(sorted);
    return new Measured.PeriodicTimes(
        stream,
        step,
        priority,
        periodNs,
        submissions,
        submissions - kept,
        quantile(sorted, 0.5),
        quantile(sorted, 0.99),
        quantile(sorted, 1));
  }

  /** The least that so large a part is not above; 0 of none. */
  private static long quantile(long[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(part * sorted.length) - 1];
  }
}
