package io.isle.faces.shell;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.karaf.shell.api.console.Session;
import org.jline.terminal.Terminal;

/**
 * Reads something again and again and shows what happened in between: in a terminal over what was
 * there, until q or Ctrl-C; else one table a sample.
 */
final class Sampling {
  private static final int MIN_MS = 50;
  private static final int MAX_MS = 3_600_000;
  private static final int MAX_COUNT = 1_000_000;

  /** Cursor to the upper left; clear to the end of the line, of the screen. */
  private static final String HOME = "\033[H";

  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_REST = "\033[J";

  private final Output output;
  private final Integer count;
  private final int intervalMs;
  private final boolean live;

  /**
   * @param count samples, 1 to 1000000; null: without a terminal 1, else until it is ended
   * @param intervalMs 50 to 3600000
   * @throws ShellException naming the option that is out of range, or more than one sample in JSON
   */
  Sampling(Output output, Integer count, int intervalMs) {
    this.output = output;
    this.count = count;
    this.intervalMs = intervalMs;
    if (count != null && (count < 1 || count > MAX_COUNT)) {
      throw ShellException.usage("--count " + count + " is not in 1.." + MAX_COUNT);
    }
    if (intervalMs < MIN_MS || intervalMs > MAX_MS) {
      throw ShellException.usage(
          "--interval " + intervalMs + " is not in " + MIN_MS + ".." + MAX_MS + " milliseconds");
    }
    if (output.json() && count != null && count > 1) {
      throw ShellException.usage("--count " + count + ": --json prints one sample");
    }
    live = output.columns() > 0 && !output.json();
  }

  /** The keyboard of a session; null where there is none. */
  static Terminal keyboard(Session session) {
    return session.getTerminal() instanceof Terminal terminal ? terminal : null;
  }

  /**
   * Shows until all samples are taken, the user has enough, or the thread is interrupted.
   *
   * @param keyboard null where there is none
   * @param read what is so now
   * @param between rows of what happened between two readings
   */
  <R, T> void show(
      Terminal keyboard, Supplier<R> read, BiFunction<R, R, List<T>> between, Table<T> table) {
    try (Keys keys = new Keys(live ? keyboard : null)) {
      long samples = count != null ? count : live ? Long.MAX_VALUE : 1;
      R before = read.get();
      if (live) {
        paint(table, between.apply(before, before));
      }
      for (long i = 0; i < samples && !keys.quit(intervalMs); i++) {
        R now = read.get();
        List<T> rows = between.apply(before, now);
        if (live) {
          paint(table, rows);
        } else {
          if (i > 0) {
            output.line("");
          }
          output.table(table, rows);
        }
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Over what was painted before, so that nothing flickers. */
  private <T> void paint(Table<T> table, List<T> rows) {
    StringBuilder text = new StringBuilder(HOME);
    for (String line : table.lines(rows, output.columns())) {
      text.append(line).append(CLEAR_LINE).append('\n');
    }
    output.stream().print(text.append(CLEAR_REST));
    output.stream().flush();
  }
}
