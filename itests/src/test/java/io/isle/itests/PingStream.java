package io.isle.itests;

import io.isle.lib.net.ping.PingClient;
import io.isle.lib.net.ping.PingTally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Echo requests all the time, of several sizes, and their answers. */
final class PingStream implements AutoCloseable {
  private static final int[] BYTES = {16, 56, 1400};
  private static final long PERIOD_NS = 5_000_000;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  /** After the last answer, for one that comes twice. */
  private static final long LATE_NS = 200_000_000;

  private final PingClient client;
  private final CompletableFuture<PingTally> work;
  private volatile boolean over;
  private volatile boolean waits;
  private volatile long answers;
  private volatile long longestGapNs;
  private long answerNs;

  /**
   * Sends from now on.
   *
   * @param client closed with this object
   */
  PingStream(PingClient client) {
    this.client = client;
    answerNs = System.nanoTime();
    work =
        CompletableFuture.supplyAsync(this::work, task -> Thread.ofPlatform().daemon().start(task));
  }

  private PingTally work() {
    long dueNs = System.nanoTime();
    for (int number = 0; !over; number++) {
      client.send(BYTES[number % BYTES.length]);
      dueNs += PERIOD_NS;
      for (long rest; (rest = dueNs - System.nanoTime()) > 0; ) {
        receive(rest);
      }
    }
    long begin = System.nanoTime();
    while (waits && client.tally().lost() > 0 && System.nanoTime() - begin < PATIENCE_NS) {
      receive(PERIOD_NS);
    }
    while (receive(LATE_NS)) {
      // each is counted
    }
    return client.tally();
  }

  private boolean receive(long timeoutNs) {
    boolean received = client.receive(timeoutNs);
    if (received) {
      long now = System.nanoTime();
      longestGapNs = Math.max(longestGapNs, now - answerNs);
      answerNs = now;
      long before = answers;
      answers = before + 1;
    }
    return received;
  }

  /** Answers up to now. */
  long answers() {
    return answers;
  }

  /** The longest time between two answers. */
  long longestGapNs() {
    return longestGapNs;
  }

  /**
   * Sends no more.
   *
   * @param all whether each request has to have an answer, which is awaited then
   */
  PingTally end(boolean all) {
    waits = all;
    over = true;
    return work.join();
  }

  @Override
  public void close() {
    over = true;
    try {
      work.join();
    } finally {
      client.close();
    }
  }
}
