package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetAppTask;
import io.isle.lib.packet.capture.PcapngWriter;
import io.isle.lib.tile.TapMark;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * Writes the frames of a tap, whose signatures are those of {@link TapMark}. Frames that the tap
 * lost are told with the next frame that is written. Writing waits for the file system.
 */
final class CaptureTask implements NetAppTask {
  private static final int BURST = 256;

  private static final int RECEIVED = 0;
  private static final int WRITTEN = 1;
  private static final int LOST = 2;

  private final FramePort port;
  private final PcapngWriter writer;
  private final CaptureFilter filter;
  private final long durationNs;
  private final long epochOffset;
  private final CaptureFacts facts = new CaptureFacts();
  private final Tally tally = new Tally("received", "written", "lost");
  private final FrameSource.Handler handler = this::frame;
  private volatile String failure = "";
  private long beginNs;
  private long nowNs;
  private long received;
  private long written;
  private boolean begun;
  private boolean dirty;
  private boolean closed;

  /**
   * @param writer with one interface; closed by the task
   * @param durationNs time after which the task ends; 0 for none
   * @param epochOffset from times of cycles to nanoseconds since 1970
   */
  CaptureTask(
      FramePort port,
      PcapngWriter writer,
      CaptureFilter filter,
      long durationNs,
      long epochOffset) {
    this.port = port;
    this.writer = writer;
    this.filter = filter;
    this.durationNs = durationNs;
    this.epochOffset = epochOffset;
  }

  @Override
  public int cycle(long now) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (!begun) {
      begun = true;
      beginNs = now;
    }
    nowNs = now;
    if (durationNs != 0 && now - beginNs >= durationNs) {
      close();
      return -Errno.ECLOSED;
    }
    int got = port.poll(handler, BURST);
    tally.add(RECEIVED, received);
    tally.add(WRITTEN, written);
    dirty |= written > 0;
    received = 0;
    written = 0;
    if (got == 0 && dirty) {
      flush();
    }
    if (got == -Errno.ECLOSED || !failure.isEmpty()) {
      close();
      return -Errno.ECLOSED;
    }
    return got;
  }

  private void frame(MemorySegment memory, long offset, int length, long mark) {
    received++;
    if (!failure.isEmpty() || !filter.keeps(memory, offset, length, mark)) {
      return;
    }
    long lost = port.overruns() - tally.get(LOST);
    try {
      writer.write(
          0,
          TapMark.timeNs(mark, nowNs) + epochOffset,
          memory,
          offset,
          length,
          Math.max(length, TapMark.length(mark)),
          facts.of(mark, lost));
      written++;
      if (lost != 0) {
        tally.add(LOST, lost);
      }
    } catch (IOException e) {
      failure = "the file cannot be written: " + e.getMessage();
    }
  }

  /** A reader of the file sees all frames of a net that is quiet. */
  private void flush() {
    try {
      writer.flush();
      dirty = false;
    } catch (IOException e) {
      failure = "the file cannot be written: " + e.getMessage();
    }
  }

  @Override
  public long deadlineNs() {
    return closed || durationNs == 0 || !begun ? Long.MAX_VALUE : beginNs + durationNs;
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = tally.map();
    counters.put("lost", port.overruns());
    return counters;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      writer.close();
    } catch (IOException e) {
      if (failure.isEmpty()) {
        failure = "the file cannot be written: " + e.getMessage();
      }
    }
  }
}
