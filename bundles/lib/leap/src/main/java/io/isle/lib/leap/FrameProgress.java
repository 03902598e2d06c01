package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;

/**
 * What has arrived of the frames of a reassembly. A frame is named by its distance from the next
 * one: {@code ahead} is 0 for the next frame. One thread at a time, that of the reassembly.
 */
public final class FrameProgress {
  private final FrameWindow window;
  private final FrameSlots slots;

  FrameProgress(FrameWindow window) {
    this.window = window;
    slots = window.slots;
  }

  /** Frames from the next one to the newest that is known of. */
  public int known() {
    return (int) (window.top() - window.next());
  }

  /**
   * Chunks of a frame that is under way.
   *
   * @param ahead below {@link #known}
   * @return 0 if no chunk arrived, or the frame is lost
   */
  public int total(int ahead) {
    return isUnderWay(ahead) ? slots.total(number(ahead)) : 0;
  }

  /** Arrived chunks of a frame that is under way; else 0. */
  public int arrived(int ahead) {
    return isUnderWay(ahead) ? slots.arrived(number(ahead)) : 0;
  }

  /**
   * First missing chunk of a frame at {@code from} or behind.
   *
   * @return the total if there is none; 0 if no chunk arrived at all
   */
  public int missing(int ahead, int from) {
    return isUnderWay(ahead) ? slots.find(number(ahead), from, false) : 0;
  }

  /** First arrived chunk of a frame at {@code from} or behind; the total if there is none. */
  public int present(int ahead, int from) {
    return isUnderWay(ahead) ? slots.find(number(ahead), from, true) : 0;
  }

  /** The memory of a frame of which a chunk has arrived, from offset 0. */
  public MemorySegment memory(int ahead) {
    if (total(ahead) == 0) {
      throw new IllegalStateException("no chunk of the frame has arrived: see total");
    }
    return slots.memory(number(ahead));
  }

  /** Bytes of the arrived chunks of a frame; else 0. */
  public int bytes(int ahead) {
    return total(ahead) == 0 ? 0 : slots.bytes(number(ahead));
  }

  private long number(int ahead) {
    return window.next() + ahead;
  }

  private boolean isUnderWay(int ahead) {
    long number = number(ahead);
    return ahead >= 0 && number >= window.base() && number < window.top();
  }
}
