package io.isle.fabric.ring.isle;

import io.isle.lib.leap.FrameProgress;
import io.isle.lib.leap.Reassembly;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Nack;

/**
 * Which chunks a receiver of datagrams asks for, and when: a while after a gap was noticed, then
 * again and again, less and less often, until the gap is closed. One thread at a time.
 */
final class Gaps {
  /** Chunks that overtake each other need no request. */
  private static final long PATIENCE_NS = 2_000_000;

  /** Silence after which the end of a frame counts as lost: its sender may be interrupted. */
  private static final long TAIL_NS = 10_000_000;

  private static final long AGAIN_NS = 10_000_000;
  private static final long MOST_NS = 160_000_000;

  private final FrameProgress frames;

  /** Number of the next frame. */
  private long expected;

  /** Largest number that the neighbour has sent, as far as known. */
  private long announced;

  /** Whether something has arrived that was sent after what is missing. */
  private boolean holed;

  /** Chunks of the next frame at the last look. */
  private int seen;

  /** Time of the next requests; MAX_VALUE without a gap. */
  private long dueNs = Long.MAX_VALUE;

  private long againNs = AGAIN_NS;

  /** Number of the next frame to ask for, while requests are composed; else 0. */
  private long asking;

  Gaps(FrameProgress frames) {
    this.frames = frames;
  }

  /** A path begins behind this frame. */
  void begin(long delivered) {
    expected = delivered + 1;
    announced = delivered;
    forget();
    asking = 0;
  }

  long expected() {
    return expected;
  }

  /** The next frame was taken. */
  void taken(long nowNs) {
    expected++;
    forget();
    look(nowNs);
  }

  private void forget() {
    holed = false;
    seen = 0;
    againNs = AGAIN_NS;
    dueNs = Long.MAX_VALUE;
  }

  void announced(long sent, long nowNs) {
    announced = Math.max(announced, Math.min(sent, expected + Reassembly.WINDOW - 1));
    look(nowNs);
  }

  /** Datagrams have arrived. */
  void look(long nowNs) {
    int arrived = frames.arrived(0);
    if (frames.known() == 0 && announced < expected) {
      dueNs = Long.MAX_VALUE;
    } else if (!holed && isHoled(arrived)) {
      holed = true;
      dueNs = Math.min(dueNs, nowNs + PATIENCE_NS);
    } else if (!holed && arrived != seen) {
      dueNs = nowNs + TAIL_NS;
    }
    seen = arrived;
  }

  private boolean isHoled(int arrived) {
    return frames.known() > 1 || announced >= expected || arrived > frames.missing(0, 0);
  }

  long deadlineNs() {
    return dueNs;
  }

  /** Composes the next request; 0 for none. */
  int request(OwnFrame own, long nowNs) {
    if (asking == 0) {
      if (nowNs < dueNs) {
        return 0;
      }
      asking = expected;
    }
    long last = Math.max(announced, expected + frames.known() - 1);
    for (; asking <= last; asking++) {
      int ahead = (int) (asking - expected);
      int total = frames.total(ahead);
      if (total == 0 || frames.arrived(ahead) < total) {
        return compose(own, asking++, ahead, total, nowNs);
      }
    }
    asking = 0;
    dueNs = nowNs + againNs;
    againNs = Math.min(2 * againNs, MOST_NS);
    return 0;
  }

  private int compose(OwnFrame own, long number, int ahead, int total, long nowNs) {
    int ranges = 0;
    for (int from = 0; from < total && ranges < Nack.MAX_RANGES; ) {
      int first = frames.missing(ahead, from);
      if (first >= total) {
        break;
      }
      int behind = frames.present(ahead, first);
      Nack.range(own.memory, OwnFrame.PAYLOAD, ranges++, first, behind - 1);
      from = behind;
    }
    Nack.write(own.memory, OwnFrame.PAYLOAD, number, ranges);
    return own.seal(IsleFrame.NACK, Nack.bytes(ranges), nowNs);
  }
}
