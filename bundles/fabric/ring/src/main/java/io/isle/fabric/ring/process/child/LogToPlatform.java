package io.isle.fabric.ring.process.child;

import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.MessageLine;
import io.isle.fabric.ring.process.wire.Order;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Sends the log of the process to the platform. Records without room are counted. Thread-safe. */
final class LogToPlatform extends Handler {
  private static final int MOST_CHARACTERS = 4_000;

  private final MessageLine<Answer, Order> line;
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final AtomicLong dropped = new AtomicLong();

  private LogToPlatform(MessageLine<Answer, Order> line) {
    this.line = line;
  }

  /** Takes all log records from now on. */
  static void install(MessageLine<Answer, Order> line) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    root.addHandler(new LogToPlatform(line));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) ->
            root.log(Level.SEVERE, failure, () -> "thread " + thread.getName() + " has failed"));
  }

  @Override
  public void publish(LogRecord record) {
    String text = text(record);
    long before = dropped.getAndSet(0);
    if (before > 0) {
      text += " (" + before + " earlier records were dropped)";
    }
    if (send(level(record), String.valueOf(record.getLoggerName()), text) != 0) {
      dropped.addAndGet(before + 1);
    }
  }

  private int send(Answer.Level level, String logger, String text) {
    return line.send(new Answer.Line(level, cut(logger, 200), cut(text, MOST_CHARACTERS)));
  }

  private static Answer.Level level(LogRecord record) {
    int level = record.getLevel().intValue();
    if (level >= Level.SEVERE.intValue()) {
      return Answer.Level.ERROR;
    }
    return level >= Level.WARNING.intValue() ? Answer.Level.WARNING : Answer.Level.INFO;
  }

  private String text(LogRecord record) {
    String text = formatter.formatMessage(record);
    if (record.getThrown() == null) {
      return text;
    }
    StringWriter trace = new StringWriter();
    record.getThrown().printStackTrace(new PrintWriter(trace));
    return text + '\n' + trace;
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
