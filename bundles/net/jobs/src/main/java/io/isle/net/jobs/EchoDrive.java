package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends pieces of a stream as datagrams with numbers, receives and compares the replies, and sends
 * a datagram again whose reply does not come. One thread.
 */
final class EchoDrive {
  /** After that many times the timeout without any reply the step fails. */
  private static final int PATIENCE = 6;

  private static final int BURST = 64;
  private static final long WAIT_MS = 5;
  private static final int MOST_LINES = 5;

  private final ActionStep step;
  private final EchoPath path;
  private final EchoInput input;
  private final Optional<OutputStream> out;
  private final GapClock gaps;
  private final CaptureFile capture;
  private final EchoWindow window;
  private final long timeoutNs;

  /** Of pieces that follow again; 0 for no limit. */
  private final long repeatRate;

  private final KeptDatagrams kept;
  private final LongSupplier clock;
  private final long beginNs;

  /** Whether the place of the next number has a datagram that was not sent yet. */
  private boolean prepared;

  private boolean ended;

  /** When the first piece followed again; 0 before. */
  private long repeatNs;

  private long progressNs;
  private long bytes;
  private long lost;
  private long resent;
  private long wrong;
  private long elapsedNs;

  /**
   * @param out receives the replies to the pieces of the stream itself
   * @param capture null without one
   * @param clock time in nanoseconds, as {@link System#nanoTime}
   */
  EchoDrive(
      ActionStep step,
      EchoPath path,
      EchoInput input,
      Optional<OutputStream> out,
      GapClock gaps,
      CaptureFile capture,
      LongSupplier clock) {
    this.clock = clock;
    beginNs = clock.getAsLong();
    progressNs = beginNs;
    this.step = step;
    this.path = path;
    this.input = input;
    this.out = out;
    this.gaps = gaps;
    this.capture = capture;
    int size = (int) step.values().whole(EchoAction.WINDOW);
    window = new EchoWindow(size);
    timeoutNs = TimeUnit.MILLISECONDS.toNanos(step.values().whole(EchoAction.TIMEOUT));
    repeatRate = step.values().whole(EchoAction.REPEAT_RATE);
    kept = new KeptDatagrams(size, input.piece().length);
  }

  /** Sends and receives until each datagram has its reply. */
  void run() throws IOException, InterruptedException {
    while (!ended || window.isDue()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
      boolean moved = send();
      moved |= receive();
      if (!moved) {
        path.await(WAIT_MS);
        repeat(clock.getAsLong());
      }
    }
    elapsedNs = clock.getAsLong() - beginNs;
  }

  private boolean send() throws IOException {
    int count = 0;
    while (count < BURST && window.hasRoom() && mayCapture() && mayRepeat() && prepare()) {
      if (!kept.send(path, window.next())) {
        break;
      }
      long now = clock.getAsLong();
      gaps.sent(now);
      progressNs = window.isDue() ? progressNs : now;
      window.sent(now);
      prepared = false;
      count++;
    }
    return count > 0;
  }

  private boolean mayCapture() {
    return capture == null || capture.allows(window.next());
  }

  /** Datagrams behind the stream itself are spread over time. */
  private boolean mayRepeat() {
    if (repeatRate == 0 || !input.isRepeating()) {
      return true;
    }
    long now = clock.getAsLong();
    if (repeatNs == 0) {
      repeatNs = now;
    }
    long due = (long) ((now - repeatNs) / 1e9 * repeatRate);
    return window.next() - input.pieces() <= due;
  }

  /** Writes the next datagram; false behind the last one. */
  private boolean prepare() throws IOException {
    if (prepared || ended) {
      return prepared;
    }
    int length = input.next();
    if (length < 0) {
      ended = true;
      return false;
    }
    kept.write(window.next(), input.piece(), length);
    prepared = true;
    return true;
  }

  private boolean receive() throws IOException {
    int count = 0;
    boolean due = false;
    while (count < BURST) {
      int length = kept.receive(path);
      if (length < 0) {
        break;
      }
      count++;
      long number = kept.number(length);
      if (window.isDue(number)) {
        due = true;
        take(number, length);
      }
    }
    if (due) {
      progressNs = clock.getAsLong();
      gaps.replied(progressNs, window.isDue());
    }
    return count > 0;
  }

  /** Compares a reply, which replaces its datagram; replies to the stream itself are written. */
  private void take(long number, int length) throws IOException {
    wrong += kept.replace(number, length) ? 0 : 1;
    window.replied(number);
    bytes += kept.pieceBytes(number);
    step.done(kept.pieceBytes(number), 1);
    for (; window.isOldestReplied(); window.forward()) {
      if (out.isPresent() && window.low() < input.pieces()) {
        kept.copy(window.low(), out.get());
      }
    }
  }

  /** Sends what is overdue again, or gives up. */
  private void repeat(long nowNs) {
    if (!window.isDue()) {
      progressNs = nowNs;
      return;
    }
    if ((nowNs - progressNs) / PATIENCE > timeoutNs) {
      throw JobException.failed(
          Errno.ETIMEDOUT,
          "no reply has come for "
              + TimeUnit.NANOSECONDS.toSeconds(nowNs - progressNs)
              + " s; 'net:explain "
              + step.values().text(EchoAction.NET)
              + "' during the job tells the reason",
          null);
    }
    for (long number = window.overdue(timeoutNs, nowNs);
        number >= 0;
        number = window.overdue(timeoutNs, nowNs)) {
      if (!kept.send(path, number)) {
        return;
      }
      resent++;
      if (window.resent(number, nowNs)) {
        lost++;
        say(number);
      }
    }
  }

  private void say(long number) {
    if (lost <= MOST_LINES) {
      step.print("datagram " + number + " has no reply; it is sent again");
    } else if (lost == MOST_LINES + 1) {
      step.print("further lost datagrams are only counted");
    }
  }

  /** Datagrams that came back. */
  long frames() {
    return window.low();
  }

  long beginNs() {
    return beginNs;
  }

  GapClock gaps() {
    return gaps;
  }

  EchoMeasures measures(
      List<EchoMeasures.Happened> events, Losses losses, Optional<CaptureCheck> captured) {
    return new EchoMeasures(
        window.low(),
        bytes,
        elapsedNs,
        lost,
        resent,
        wrong,
        gaps.longestNs(),
        events,
        losses,
        captured);
  }
}
