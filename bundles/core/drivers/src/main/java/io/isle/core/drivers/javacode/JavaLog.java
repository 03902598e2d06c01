package io.isle.core.drivers.javacode;

import io.isle.api.driver.DriverLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a Java driver logs under its device's name; its newest warnings and errors are kept. */
final class JavaLog implements DriverLog {
  private static final int KEPT = 4;
  private static final int MAX_TEXT = 488;

  private final String device;
  private final Logger log;
  private final Deque<Line> newest = new ArrayDeque<>();
  private Optional<String> lastError = Optional.empty();

  private record Line(long ns, String text) {}

  JavaLog(String device) {
    this.device = device;
    this.log = LoggerFactory.getLogger("io.isle.device." + device);
  }

  void log(System.Logger.Level level, String text, long ns) {
    switch (level) {
      case ERROR -> log.error("{}: {}", device, text);
      case WARNING -> log.warn("{}: {}", device, text);
      case INFO -> log.info("{}: {}", device, text);
      default -> log.debug("{}: {}", device, text);
    }
    if (level == System.Logger.Level.ERROR || level == System.Logger.Level.WARNING) {
      keep(ns, text, level == System.Logger.Level.ERROR);
    }
  }

  /** The newest error since the log began. */
  synchronized Optional<String> lastError() {
    return lastError;
  }

  private synchronized void keep(long ns, String text, boolean error) {
    String clean = text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ").strip();
    String cut = clean.substring(0, Math.min(clean.length(), MAX_TEXT));
    if (error) {
      lastError = Optional.of(cut);
    }
    if (newest.size() == KEPT) {
      newest.removeFirst();
    }
    newest.addLast(new Line(ns, cut));
  }

  @Override
  public synchronized Optional<String> newest(long fromNs, long toNs) {
    Iterator<Line> from = newest.descendingIterator();
    while (from.hasNext()) {
      Line line = from.next();
      if (line.ns - fromNs >= 0 && line.ns - toNs <= 0) {
        return Optional.of(line.text);
      }
    }
    return Optional.empty();
  }
}
