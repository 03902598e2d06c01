package io.isle.fabric.ring.process;

import io.isle.fabric.ring.process.wire.Answer;
import io.isle.lib.jvm.LineBudget;
import io.isle.lib.jvm.PrintedLines;
import java.io.IOException;
import java.io.InputStream;

/**
 * Brings the log of a process, and what it prints, into ours, with the name of the node: at most
 * 100 lines a second. Thread-safe.
 */
final class ChildLog {
  private static final System.Logger LOG = System.getLogger(ChildLog.class.getName());
  private static final int LINES_A_SECOND = 100;

  private final String node;
  private final LineBudget budget = new LineBudget(LINES_A_SECOND, System.nanoTime());
  private volatile String printed = "";

  ChildLog(String node) {
    this.node = node;
  }

  /** A record of its log; the text is clean. */
  void add(Answer.Line line) {
    System.Logger.Level level =
        switch (line.level()) {
          case INFO -> System.Logger.Level.INFO;
          case WARNING -> System.Logger.Level.WARNING;
          case ERROR -> System.Logger.Level.ERROR;
        };
    write(level, line.text());
  }

  private synchronized void write(System.Logger.Level level, String text) {
    if (!budget.passes(System.nanoTime())) {
      return;
    }
    long dropped = budget.takeDropped();
    String named = "ring node " + node;
    LOG.log(
        level,
        (text.startsWith(named) ? text : named + ", process: " + text)
            + (dropped > 0 ? " (" + dropped + " earlier lines were dropped)" : ""));
  }

  /** The last line that the process printed, such as a failure of its start; empty for none. */
  String printed() {
    return printed;
  }

  /** Reads what the process prints, to its end. */
  void forward(InputStream from) throws IOException {
    PrintedLines.forward(from, this::print);
  }

  private void print(String text) {
    printed = text;
    write(System.Logger.Level.WARNING, text);
  }
}
