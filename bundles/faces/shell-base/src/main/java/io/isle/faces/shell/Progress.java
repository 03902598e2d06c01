package io.isle.faces.shell;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One line on the error stream that changes while a command runs, if somebody watches. One thread
 * at a time.
 */
public final class Progress implements AutoCloseable {
  private static final long REDRAW_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String CLEAR = "\r\033[K";

  private final PrintStream err;
  private final boolean watched;
  private long drawnNs;
  private boolean visible;

  /**
   * @param err the error stream
   * @param watched whether the stream is a terminal
   */
  public Progress(PrintStream err, boolean watched) {
    this.err = err;
    this.watched = watched;
    drawnNs = System.nanoTime();
  }

  /** Shows another line, at most ten times a second. */
  public void show(Supplier<String> line) {
    long now = System.nanoTime();
    if (watched && now - drawnNs >= REDRAW_NS) {
      drawnNs = now;
      visible = true;
      err.print(CLEAR + line.get());
      err.flush();
    }
  }

  /** Prints a line that stays. */
  public void print(String line) {
    hide();
    err.println(line);
    err.flush();
  }

  @Override
  public void close() {
    hide();
  }

  /** Takes the line away, until the next one. */
  public void hide() {
    if (visible) {
      visible = false;
      err.print(CLEAR);
      err.flush();
    }
  }
}
