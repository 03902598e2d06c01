package io.isle.lib.shm;

import static io.isle.lib.shm.Words.INT;
import static io.isle.lib.shm.Words.LONG;

import io.isle.lib.shm.ChannelLayout.LogLine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reader of the newest warnings and errors that a driver logged. Each line is copied once and
 * cleaned for display, so a hostile host can write nothing but text. Any thread.
 */
public final class LogLines {
  private final MemorySegment channel;

  /**
   * A line.
   *
   * @param number number of the line in this channel
   * @param ns time of the line, by the host
   * @param error whether the line is an error, not a warning
   * @param text cleaned text
   */
  public record Line(long number, long ns, boolean error, String text) {}

  LogLines(MemorySegment channel) {
    this.channel = channel;
  }

  /** Number of the next line. */
  public long next() {
    return (long) LONG.getAcquire(channel, ChannelLayout.LOG_LINES);
  }

  /** The newest line logged in an interval, inclusive. */
  public Optional<Line> newest(long fromNs, long toNs) {
    return since(0).reversed().stream()
        .filter(line -> line.ns - fromNs >= 0 && line.ns - toNs <= 0)
        .findFirst();
  }

  /** The stored lines with this number and greater numbers, in order. */
  public List<Line> since(long number) {
    long end = next();
    List<Line> lines = new ArrayList<>();
    for (long n = Math.max(number, end - ChannelLayout.LOG_COUNT); n < end; n++) {
      read(n).ifPresent(lines::add);
    }
    return lines;
  }

  private Optional<Line> read(long number) {
    long at =
        ChannelLayout.LOG + (number & (ChannelLayout.LOG_COUNT - 1)) * ChannelLayout.LOG_BYTES;
    long seq = 2 * number + 2;
    if ((long) LONG.getAcquire(channel, at + LogLine.SEQ) != seq) {
      return Optional.empty();
    }
    long ns = (long) LONG.getOpaque(channel, at + LogLine.NS);
    boolean error = (int) INT.getOpaque(channel, at + LogLine.LEVEL) == 0;
    int length =
        Math.clamp((int) INT.getOpaque(channel, at + LogLine.LENGTH), 0, ChannelLayout.LOG_TEXT);
    byte[] text = channel.asSlice(at + LogLine.TEXT, length).toArray(ValueLayout.JAVA_BYTE);
    VarHandle.acquireFence();
    if ((long) LONG.getOpaque(channel, at + LogLine.SEQ) != seq) {
      return Optional.empty();
    }
    String clean =
        new String(text, StandardCharsets.UTF_8).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ").strip();
    return Optional.of(new Line(number, ns, error, clean));
  }
}
