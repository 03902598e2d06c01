package io.isle.fabric.ring.process;

import io.isle.fabric.ring.process.wire.Answer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/** The reports of one process: questions, and the last answer. Thread-safe. */
final class Reports {
  /** Longest wait for an answer. */
  static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);

  private final LongPredicate ask;
  private Optional<Answer.Report> last = Optional.empty();
  private long asked;
  private long answered;

  /** Time of the first question without an answer. */
  private long openNs;

  private boolean ended;

  /**
   * @param ask sends a question with this number, and returns whether it is on its way
   */
  Reports(LongPredicate ask) {
    this.ask = ask;
  }

  /** Number of the last question. */
  synchronized long asked() {
    return asked;
  }

  /** The process has sent a report. */
  synchronized void take(Answer.Report report) {
    last = Optional.of(report);
    if (report.number() > answered) {
      answered = report.number();
      openNs = System.nanoTime();
    }
    notifyAll();
  }

  /** The process has ended: nobody waits any more. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** The last report. */
  synchronized Optional<Answer.Report> last() {
    return last;
  }

  /**
   * A report that was made after the call; the last one if none comes in time, and at once while an
   * earlier question is without an answer for so long. Empty before the first report, which comes
   * without a question: a process that starts has no answer yet.
   */
  synchronized Optional<Answer.Report> fresh() {
    if (last.isEmpty() || ended || silentNs() >= WAIT_NS || !ask.test(asked + 1)) {
      return last;
    }
    if (asked == answered) {
      openNs = System.nanoTime();
    }
    long number = ++asked;
    long deadline = System.nanoTime() + WAIT_NS;
    try {
      for (long rest = WAIT_NS;
          rest > 0 && answered < number && !ended;
          rest = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, rest);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return last;
  }

  /** Nanoseconds that a question is without an answer; 0 without one. */
  synchronized long silentNs() {
    return asked == answered ? 0 : Math.max(1, System.nanoTime() - openNs);
  }
}
