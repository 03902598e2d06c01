package io.isle.net.xdp.host;

import io.isle.api.base.ForeignText;
import io.isle.lib.jvm.LineBudget;
import io.isle.lib.jvm.PrintedLines;
import io.isle.net.xdp.host.wire.TilePage;
import java.io.IOException;

/** What a process prints, which goes to the log, and what it says at its end. Thread-safe. */
final class LastWords {
  private static final System.Logger LOG = System.getLogger(LastWords.class.getName());

  /** Added to the signal that ended a process, in its exit value. */
  private static final int SIGNALLED = 128;

  private static final int LINES_A_SECOND = 100;

  private final String name;
  private final TilePage page;
  private volatile String printed = "";

  /**
   * @param name of the tile, for the log
   * @param page where the process may have written why it ends
   */
  LastWords(String name, TilePage page) {
    this.name = name;
    this.page = page;
  }

  /** Reads on a thread of its own, until the process has closed its output. */
  void listen(Process started) {
    Thread ignored = Thread.ofVirtual().name("isle-tile-output").start(() -> read(started));
  }

  private void read(Process started) {
    LineBudget budget = new LineBudget(LINES_A_SECOND, System.nanoTime());
    try (var stream = started.getInputStream()) {
      PrintedLines.forward(
          stream,
          line -> {
            printed = line;
            if (budget.passes(System.nanoTime())) {
              LOG.log(System.Logger.Level.WARNING, "{0}, process: {1}", name, line);
            }
          });
    } catch (IOException e) {
      // the stream closes with the process
    }
  }

  /** Such as {@code was ended by signal 9}, with the last words. */
  String ending(Process ended) {
    int code = ended.exitValue();
    return (code > SIGNALLED
            ? "was ended by signal " + (code - SIGNALLED)
            : "exited with code " + code)
        + said();
  }

  /** The last words behind a colon; empty without any. */
  String said() {
    String text = ForeignText.line(page.text());
    String last = text.isEmpty() ? printed : text;
    return last.isEmpty() ? "" : ": " + last;
  }
}
