package io.isle.core.accel;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a class logs while this is open, in words. Thread-safe. */
public final class LogCapture extends Handler implements AutoCloseable {
  private final Logger logger;
  private final SimpleFormatter words = new SimpleFormatter();
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  public LogCapture(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(this);
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void publish(LogRecord told) {
    lines.add(words.formatMessage(told));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
