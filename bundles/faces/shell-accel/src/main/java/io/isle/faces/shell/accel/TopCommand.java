package io.isle.faces.shell.accel;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.ShellException;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jline.terminal.Terminal;

/** {@code accel:top}. */
@Service
@Command(
    scope = "accel",
    name = "top",
    description =
        "Shows what devices and contexts do, again and again: queue, busy share, wait, memory; ends"
            + " with q or Ctrl-C")
public final class TopCommand extends IsleCommand {
  private static final int MIN_MS = 50;
  private static final int MAX_MS = 3_600_000;
  private static final int MAX_COUNT = 1_000_000;

  /** Cursor to the upper left; clear to the end of the line, of the screen. */
  private static final String HOME = "\033[H";

  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_REST = "\033[J";

  @Option(
      name = "--count",
      description = "How many samples, 1 to 1000000; without a terminal 1, else until it is ended")
  private Integer count;

  @Option(name = "--interval", description = "Milliseconds of a sample, 50 to 3600000")
  private int interval = 1000;

  /** For tests. */
  private Terminal keyboard;

  @Override
  protected void run(Output output) {
    if (count != null && (count < 1 || count > MAX_COUNT)) {
      throw ShellException.usage("--count " + count + " is not in 1.." + MAX_COUNT);
    }
    if (interval < MIN_MS || interval > MAX_MS) {
      throw ShellException.usage(
          "--interval " + interval + " is not in " + MIN_MS + ".." + MAX_MS + " milliseconds");
    }
    if (output.json() && count != null && count > 1) {
      throw ShellException.usage("--count " + count + ": --json prints one sample");
    }
    boolean live = output.columns() > 0 && !output.json();
    try (Keys keys = new Keys(live ? terminal() : null)) {
      show(output, keys, live);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show(Output output, Keys keys, boolean live) throws InterruptedException {
    long samples = count != null ? count : live ? Long.MAX_VALUE : 1;
    TopReading before = TopReading.of(services());
    if (live) {
      paint(output, TopRow.between(before, before));
    }
    for (long i = 0; i < samples; i++) {
      if (keys.quit(interval)) {
        return;
      }
      TopReading now = TopReading.of(services());
      List<TopRow> rows = TopRow.between(before, now);
      if (live) {
        paint(output, rows);
      } else {
        if (i > 0) {
          output.line("");
        }
        output.table(TopRow.table(), rows);
      }
      before = now;
    }
  }

  /** Over what was painted before, so that nothing flickers. */
  private static void paint(Output output, List<TopRow> rows) {
    StringBuilder text = new StringBuilder(HOME);
    for (String line : TopRow.table().lines(rows, output.columns())) {
      text.append(line).append(CLEAR_LINE).append('\n');
    }
    output.stream().print(text.append(CLEAR_REST));
    output.stream().flush();
  }

  private Terminal terminal() {
    if (session() == null) {
      return keyboard;
    }
    return session().getTerminal() instanceof Terminal jline ? jline : null;
  }

  /** For tests. */
  TopCommand of(Integer samples, int intervalMs, Terminal typedOn) {
    count = samples;
    interval = intervalMs;
    keyboard = typedOn;
    return this;
  }
}
