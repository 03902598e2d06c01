package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetAppTask;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Counts frames where they lie. */
final class DropTask implements NetAppTask {
  private static final int BURST = 256;

  private static final int RECEIVED = 0;
  private static final int BYTES = 1;

  private final FramePort port;
  private final Tally tally = new Tally("received", "bytes");
  private final FrameSource.PlaceHandler handler = new Count();
  private long last;
  private long frames;
  private long bytes;
  private boolean closed;

  DropTask(FramePort port) {
    this.port = port;
  }

  @Override
  public int cycle(long nowNs) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    frames = 0;
    bytes = 0;
    int got = port.pollInPlace(handler, BURST);
    if (frames > 0) {
      tally.add(RECEIVED, frames);
      tally.add(BYTES, bytes);
    }
    closed = got == -Errno.ECLOSED;
    return got;
  }

  private final class Count implements FrameSource.PlaceHandler {
    @Override
    public void frame(MemorySegment memory, long offset, int length, long signature) {
      last = length;
    }

    @Override
    public void valid() {
      frames++;
      bytes += last;
    }

    @Override
    public void overrun() {
      last = 0;
    }
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = tally.map();
    counters.put("overruns", port.overruns());
    return counters;
  }

  @Override
  public void close() {
    closed = true;
  }
}
