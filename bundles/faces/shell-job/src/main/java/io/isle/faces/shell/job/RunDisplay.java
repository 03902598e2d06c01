package io.isle.faces.shell.job;

import io.isle.api.jobs.JobObserver;
import io.isle.faces.shell.Output;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows a running job: what it prints goes to the output (to the error stream when the output is a
 * JSON document), and a bar on the error stream when somebody watches it. Used by one thread.
 */
final class RunDisplay implements JobObserver {
  private static final long REDRAW_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String CLEAR = "\r\033[K";
  private static final int WIDTH = 30;

  private final PrintStream text;
  private final PrintStream err;
  private final boolean terminal;
  private final long startNs = System.nanoTime();
  private long drawnNs = startNs;
  private boolean visible;

  RunDisplay(Output output, PrintStream err, boolean terminal) {
    this.text = output.json() ? err : output.stream();
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void print(byte[] bytes, int length) {
    clear();
    text.write(bytes, 0, length);
    text.flush();
  }

  @Override
  public void progress(long done, long total) {
    draw(() -> bar(done, total, System.nanoTime() - startNs));
  }

  @Override
  public void turn(String step, long done, long total) {
    draw(() -> turns(step, done, total));
  }

  private void draw(Supplier<String> line) {
    long now = System.nanoTime();
    if (terminal && now - drawnNs >= REDRAW_NS) {
      drawnNs = now;
      visible = true;
      err.print(CLEAR + line.get());
      err.flush();
    }
  }

  @Override
  public void recovering(String device) {
    if (terminal) {
      visible = true;
      err.print(CLEAR + "recovering: waiting for " + device);
      err.flush();
    }
  }

  static String bar(long done, long total, long elapsedNs) {
    String rate = String.format(Locale.ROOT, "%.2f GB/s", done / (double) Math.max(1, elapsedNs));
    String amount = String.format(Locale.ROOT, "%.1f MB", done / 1e6);
    if (total <= 0) {
      return amount + "  " + rate;
    }
    return bar(done, total) + "  " + amount + "  " + rate;
  }

  static String turns(String step, long done, long total) {
    return bar(done, total) + "  " + step + ": turn " + done + " of " + total;
  }

  private static String bar(long done, long total) {
    double share = Math.min(1, done / (double) total);
    int full = (int) (share * WIDTH);
    return String.format(
        Locale.ROOT, "[%s%s] %3.0f %%", "#".repeat(full), ".".repeat(WIDTH - full), 100 * share);
  }

  /** Takes the bar away. */
  void end() {
    clear();
  }

  private void clear() {
    if (visible) {
      visible = false;
      err.print(CLEAR);
      err.flush();
    }
  }
}
