package io.isle.benchmarks.net;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts numbered frames, and keeps the longest time between two of them. The counts go on over the
 * tasks that follow each other. One task at a time; other threads read.
 */
final class WatchApp implements NetApp {
  private static final int BURST = 256;

  /** Where {@code bench-xsk} puts the number of a frame. */
  private static final long NUMBER = 42;

  private final AtomicLong frames = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private long lastNs;
  private long next;
  private volatile String disorder = "";

  @Override
  public List<Setting> settings() {
    return List.of();
  }

  /** Frames so far. */
  long frames() {
    return frames.get();
  }

  /** Frames begin anew at number 0; none may be on its way. */
  void restart() {
    next = 0;
    lastNs = 0;
    frames.set(0);
    longest.set(0);
  }

  /** Nanoseconds of the longest time without a frame since the last call. */
  long longestPause() {
    return longest.getAndSet(0);
  }

  /** Which frame came twice or too late; empty if none did. */
  String disorder() {
    return disorder;
  }

  @Override
  public NetAppTask open(FramePort port, Map<String, String> settings) {
    return new Task(port);
  }

  private final class Task implements NetAppTask, FrameSource.PlaceHandler {
    private final FramePort port;
    private long number;

    Task(FramePort port) {
      this.port = port;
    }

    @Override
    public int cycle(long nowNs) {
      int got = port.pollInPlace(this, BURST);
      if (got > 0) {
        frames.setRelease(frames.getPlain() + got);
        long pause = lastNs == 0 ? 0 : nowNs - lastNs;
        lastNs = nowNs;
        if (pause > longest.get()) {
          longest.set(pause);
        }
      }
      return got == -Errno.ECLOSED ? got : Math.max(0, got);
    }

    @Override
    public void frame(MemorySegment memory, long offset, int length, long signature) {
      number = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + NUMBER);
    }

    @Override
    public void valid() {
      if (number < next) {
        disorder = "frame " + number + " behind frame " + (next - 1);
      }
      next = number + 1;
    }

    @Override
    public void overrun() {
      number = next;
    }

    @Override
    public Map<String, Long> counters() {
      return Map.of("frames", frames());
    }

    @Override
    public void close() {}
  }
}
