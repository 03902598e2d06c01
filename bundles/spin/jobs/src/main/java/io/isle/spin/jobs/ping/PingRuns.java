package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobException;
import io.isle.lib.net.ping.PingClient;
import io.isle.spin.jobs.ping.place.Closings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The runs of one protocol in one mode: one request after the other, of each size in turn. */
final class PingRuns implements AutoCloseable {
  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Answers behind the last request are waited for so long. */
  private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final int FIRST_TRIES = 300;
  private static final long FIRST_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int WARM_UP = 200;
  private static final int MOST_LOST = 5;
  private static final int MOST_LATE = 1000;

  private final ActionStep step;
  private final PingPlan plan;
  private final PingTarget target;
  private final Closings closings = new Closings();
  private int lost;

  PingRuns(ActionStep step, PingPlan plan, PingTarget target) {
    this.step = step;
    this.plan = plan;
    this.target = target;
  }

  /**
   * Measures; called once.
   *
   * @throws JobException ETIMEDOUT if answers do not come any more
   */
  List<PingRow> measure() throws InterruptedException {
    warmUp();
    List<PingClient> clients = new ArrayList<>();
    for (int i = 0; i < plan.sizes().size(); i++) {
      PingClient client = target.client(plan.runs() * plan.pings());
      closings.add(client::close);
      clients.add(client);
    }
    double[][] medians = new double[clients.size()][plan.runs()];
    for (int run = 0; run < plan.runs(); run++) {
      for (int i = 0; i < clients.size(); i++) {
        int bytes = plan.sizes().get(i);
        medians[i][run] = run(clients.get(i), bytes);
        step.done((long) bytes * plan.pings(), plan.pings());
      }
    }
    List<PingRow> rows = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      PingClient client = clients.get(i);
      for (int late = 0; late < MOST_LATE && client.receive(LATE_NS); late++) {}
      rows.add(
          PingRow.of(
              target.protocol(),
              target.mode(),
              i + 1,
              plan.sizes().get(i),
              medians[i],
              client.tally()));
    }
    return rows;
  }

  /** Until an answer comes, as interfaces may lose their first frames; then some more. */
  private void warmUp() throws InterruptedException {
    try (PingClient client = target.client(FIRST_TRIES + WARM_UP)) {
      for (int i = 0; client.tally().answered() == 0; i++) {
        if (i == FIRST_TRIES) {
          throw silent("the first " + FIRST_TRIES + " requests");
        }
        long _ = ping(client, plan.sizes().getFirst(), Math.min(FIRST_NS, plan.timeoutNs()));
      }
      for (int i = 0; i < WARM_UP; i++) {
        counted(ping(client, plan.sizes().get(i % plan.sizes().size()), plan.timeoutNs()));
      }
    }
  }

  /** Returns the median of the times; not a number if no answer has come. */
  private double run(PingClient client, int bytes) throws InterruptedException {
    long[] times = new long[plan.pings()];
    int count = 0;
    for (int i = 0; i < plan.pings(); i++) {
      long time = ping(client, bytes, plan.timeoutNs());
      counted(time);
      if (time >= 0) {
        times[count++] = time;
      }
    }
    Arrays.sort(times, 0, count);
    return count == 0 ? Double.NaN : (times[(count - 1) / 2] + times[count / 2]) / 2.0;
  }

  private void counted(long time) {
    lost = time < 0 ? lost + 1 : 0;
    if (lost == MOST_LOST) {
      throw silent(MOST_LOST + " requests in a row");
    }
  }

  /** Returns the time until the answer; -1 if none has come. */
  private static long ping(PingClient client, int bytes, long timeoutNs)
      throws InterruptedException {
    int number = client.send(bytes);
    long begin = System.nanoTime();
    long rest = timeoutNs;
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
      boolean _ = client.receive(Math.min(rest, SLICE_NS));
      rest = timeoutNs - (System.nanoTime() - begin);
    } while (client.rttNs(number) < 0 && rest > 0);
    return client.rttNs(number);
  }

  private JobException silent(String what) {
    return JobException.failed(
        Errno.ETIMEDOUT,
        "%s, %s: no answer to %s%s"
            .formatted(target.protocol().text(), target.mode().text(), what, target.reason()),
        null);
  }

  @Override
  public void close() {
    closings.close();
  }
}
