package io.isle.faces.shell.net.link;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** A loop of a producer or a consumer: its end, its counts. Runs once, on one thread. */
abstract class LinkLoop {
  /** Fragments between two looks at the clock. */
  private static final int LOOK = 256;

  private final Pace pace;
  private final long timeoutNs;
  private final Consumer<Supplier<LinkResult>> watcher;
  private final long wanted;
  private long beginNs;

  /** Fragments that were published or taken. */
  private long count;

  /**
   * @param wanted fragments
   * @param timeoutNs for all of them
   * @param watcher is offered the counts now and then
   */
  LinkLoop(Pace pace, long wanted, long timeoutNs, Consumer<Supplier<LinkResult>> watcher) {
    this.pace = pace;
    this.wanted = wanted;
    this.timeoutNs = timeoutNs;
    this.watcher = watcher;
  }

  /** What a step came to. */
  enum Step {
    /** A fragment more. */
    DONE,
    /** None, but the next step may have one. */
    AGAIN,
    /** None, until the other side does something. */
    WAIT
  }

  /** Publishes or takes the next fragment. */
  abstract Step step();

  /** Whether fragments are so far apart that the clock is looked at for each. */
  abstract boolean isPaced();

  /** Tells the other side of all that was done. */
  abstract void settle();

  /** The counts so far. */
  abstract LinkResult result(LinkResult.End end, long elapsedNs);

  /** Runs to the end, which the result tells. */
  final LinkResult run() {
    beginNs = pace.nanoTime();
    LinkResult.End end;
    try {
      end = steps();
      settle();
    } catch (InternalError e) {
      // an access to a page that the file no longer has
      end = LinkResult.End.MEMORY_GONE;
    }
    return result(end, elapsedNs());
  }

  private LinkResult.End steps() {
    int idle = 0;
    while (count < wanted) {
      Step step = step();
      if (step == Step.WAIT) {
        pace.idle(idle++ & Integer.MAX_VALUE);
      } else {
        idle = 0;
        count += step == Step.DONE ? 1 : 0;
      }
      if (count < wanted && (step != Step.DONE || count % LOOK == 0 || isPaced())) {
        watcher.accept(() -> result(LinkResult.End.DONE, elapsedNs()));
        if (pace.interrupted()) {
          return LinkResult.End.INTERRUPTED;
        }
        if (elapsedNs() >= timeoutNs) {
          return LinkResult.End.TIMEOUT;
        }
      }
    }
    return LinkResult.End.DONE;
  }

  /** Waits until so long after the begin of the loop; not beyond the timeout. */
  final void until(long sinceBeginNs) {
    pace.until(beginNs + Math.min(sinceBeginNs, timeoutNs));
  }

  final long count() {
    return count;
  }

  final long elapsedNs() {
    return pace.nanoTime() - beginNs;
  }
}
