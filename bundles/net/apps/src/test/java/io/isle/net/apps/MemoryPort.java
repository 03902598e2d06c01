package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A port in memory: a ring of frames that a test puts in, and one of frames that an app sent. All
 * memory is made at the begin.
 */
final class MemoryPort implements FramePort {
  static final int MTU = 2048;
  private static final int SLOTS = 512;

  private final MemorySegment arrivals = MemorySegment.ofArray(new byte[SLOTS * MTU]);
  private final MemorySegment departures = MemorySegment.ofArray(new byte[SLOTS * MTU]);
  private final int[] arrived = new int[SLOTS];
  private final int[] sent = new int[SLOTS];
  private final long[] arrivedMarks = new long[SLOTS];
  private final long[] sentMarks = new long[SLOTS];
  private long put;
  private long polled;
  private long published;
  private long flushed;
  private long taken;
  private int claimed = -1;
  private long overruns;
  private boolean closed;

  /** Frames in place that are replaced while the app reads them. */
  private int spoiled;

  /** Frames that may be published before the room is gone. */
  int room = SLOTS;

  void put(byte[] frame, long mark) {
    put(MemorySegment.ofArray(frame), frame.length, mark);
  }

  void put(MemorySegment frame, int length, long mark) {
    int slot = (int) (put++ % SLOTS);
    MemorySegment.copy(frame, 0, arrivals, (long) slot * MTU, length);
    arrived[slot] = length;
    arrivedMarks[slot] = mark;
  }

  void spoilNext() {
    spoiled++;
  }

  void lose(int frames) {
    overruns += frames;
  }

  /** The next flushed frame. */
  byte[] take() {
    if (taken == flushed) {
      return new byte[0];
    }
    int slot = (int) (taken++ % SLOTS);
    long at = (long) slot * MTU;
    return departures.asSlice(at, sent[slot]).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Signature of the frame that {@link #take} returned last. */
  long mark() {
    return sentMarks[(int) ((taken - 1) % SLOTS)];
  }

  /** Forgets flushed frames; returns their number. */
  long drain() {
    long count = flushed - taken;
    taken = flushed;
    return count;
  }

  @Override
  public int poll(Handler handler, int limit) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    int count = 0;
    for (; count < limit && polled < put; count++) {
      int slot = (int) (polled++ % SLOTS);
      handler.frame(arrivals, (long) slot * MTU, arrived[slot], arrivedMarks[slot]);
    }
    return count;
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    int valid = 0;
    for (int count = 0; count < limit && polled < put; count++) {
      int slot = (int) (polled++ % SLOTS);
      handler.frame(arrivals, (long) slot * MTU, arrived[slot], arrivedMarks[slot]);
      if (spoiled > 0) {
        spoiled--;
        overruns++;
        handler.overrun();
      } else {
        handler.valid();
        valid++;
      }
    }
    return valid;
  }

  @Override
  public long overruns() {
    return overruns;
  }

  @Override
  public MemorySegment memory() {
    return departures;
  }

  @Override
  public int mtu() {
    return MTU;
  }

  @Override
  public long claim(int length) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (length < 14 || length > MTU) {
      return -Errno.EMSGSIZE;
    }
    if (published - taken >= Math.min(room, SLOTS)) {
      return -Errno.EAGAIN;
    }
    claimed = length;
    return published % SLOTS * MTU;
  }

  @Override
  public int publish(int length, long signature) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (claimed < 0 || length < 14 || length > claimed) {
      return -Errno.EINVAL;
    }
    int slot = (int) (published++ % SLOTS);
    sent[slot] = length;
    sentMarks[slot] = signature;
    claimed = -1;
    return 0;
  }

  @Override
  public int flush() {
    flushed = published;
    return closed ? -Errno.ECLOSED : 0;
  }

  @Override
  public void close() {
    closed = true;
    Arrays.fill(arrived, 0);
  }
}
