package io.isle.apps.jobs.measure;

import io.isle.api.accel.Completion;

/** The work that streams of one group do at a barrier. Thread-safe. */
public final class GroupWork implements WorkListener {
  /** More could not be told apart in a picture. */
  private static final int DRAWN = 2400;

  private final Intervals there = new Intervals(Integer.MAX_VALUE);
  private final Intervals running = new Intervals(DRAWN);
  private long bytes;
  private long heldBytes;
  private boolean open;

  @Override
  public synchronized void ended(long sinceNs, Completion completion) {
    there.add(sinceNs, completion.endNs());
    if (completion.startNs() > 0 && completion.endNs() > completion.startNs()) {
      running.add(completion.startNs(), completion.endNs());
    }
  }

  @Override
  public synchronized void finished(long pieceBytes) {
    if (open) {
      bytes += pieceBytes;
    }
  }

  public synchronized void held(long more) {
    heldBytes += more;
  }

  /** What is finished from now on is measured. */
  synchronized void open() {
    open = true;
  }

  /** What comes from now on is not measured. */
  synchronized void close() {
    open = false;
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized long heldBytes() {
    return heldBytes;
  }

  /** Time of a span in which it had nothing submitted that had not ended. */
  synchronized long idleNs(long fromNs, long toNs) {
    return Math.max(0, toNs - fromNs - there.covered(fromNs, toNs));
  }

  /** When the device ran something of it: from and to by turns, in order. */
  synchronized long[] running() {
    return running.list();
  }
}
