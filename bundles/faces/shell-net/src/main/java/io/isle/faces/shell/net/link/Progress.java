package io.isle.faces.shell.net.link;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One line on the error stream with the counts of a loop, if somebody watches. */
final class Progress implements Consumer<Supplier<LinkResult>>, AutoCloseable {
  private static final long REDRAW_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String CLEAR = "\r\033[K";

  private final PrintStream err;
  private final boolean watched;
  private final String verb;
  private long drawnNs = System.nanoTime();
  private boolean visible;

  /**
   * @param watched whether the stream is a terminal
   */
  Progress(PrintStream err, boolean watched, String verb) {
    this.err = err;
    this.watched = watched;
    this.verb = verb;
  }

  @Override
  public void accept(Supplier<LinkResult> counts) {
    if (!watched) {
      return;
    }
    long now = System.nanoTime();
    if (now - drawnNs >= REDRAW_NS) {
      drawnNs = now;
      visible = true;
      err.print(CLEAR + counts.get().line(verb));
      err.flush();
    }
  }

  @Override
  public void close() {
    hide();
  }

  /** Takes the line away. */
  void hide() {
    if (visible) {
      visible = false;
      err.print(CLEAR);
      err.flush();
    }
  }
}
