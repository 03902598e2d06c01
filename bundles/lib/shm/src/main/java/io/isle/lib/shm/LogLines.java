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
 * Reader of the newest lines that a driver logged as warnings or errors. Each is copied once and
 * made fit to be shown; whatever a hostile host writes, it is no more than that. Any thread.
 */
public final class LogLines {
  private final MemorySegment channel;

  /**
   * A line.
   *
   * @param number counts the lines of the channel
   * @param ns when it was logged, as the host says
   */
  public record Line(long number, long ns, boolean error, String text) {}

  LogLines(MemorySegment channel) {
    this.channel = channel;
  }

  /** Number of the next line. */
  public long next() {
    return (long) LONG.getAcquire(channel, ChannelLayout.LOG_LINES);
  }

  /** The newest line that was logged in a time, bounds included. */
  public Optional<Line> newest(long fromNs, long toNs) {
    return since(0).reversed().stream()
        .filter(line -> line.ns - fromNs >= 0 && line.ns - toNs <= 0)
        .findFirst();
  }

  /** The lines with this number and greater ones that are still there, in order. */
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
