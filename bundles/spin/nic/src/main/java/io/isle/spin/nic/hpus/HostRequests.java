package io.isle.spin.nic.hpus;

import io.isle.lib.ffi.Futex;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * What handlers ask the host, each HPU in the first word of its page, and the answers. Allocates
 * nothing.
 */
final class HostRequests {
  private static final int NUMBER = 0xFF;
  private static final int LENGTH = 8;
  private static final int HPU = 40;
  private static final int MAX_PAYLOAD = SpinStructs.PAGE - 64;

  /** Of an HPU that has not asked, or has its answer; else the number of the request. */
  private static final int NONE = -1;

  private final MemorySegment hostData;
  private final MemorySegment pages;
  private final MemorySegment[] wakes = new MemorySegment[SpinStructs.HPUS];
  private final int[] last = new int[SpinStructs.HPUS];
  private final AtomicIntegerArray open = new AtomicIntegerArray(SpinStructs.HPUS);

  HostRequests(MemorySegment hostData, MemorySegment pages) {
    this.hostData = hostData;
    this.pages = pages;
    for (int hpu = 0; hpu < SpinStructs.HPUS; hpu++) {
      open.set(hpu, NONE);
      wakes[hpu] = hostData.asSlice(flag(hpu), Integer.BYTES);
    }
  }

  private static long flag(int hpu) {
    return RingLayout.FLAGS + (long) hpu * Long.BYTES;
  }

  /**
   * The request of an HPU that waits.
   *
   * @return length of its payload, at most what a page has; -1 without a new one
   */
  int take(int hpu) {
    long at = (long) hpu * SpinStructs.PAGE;
    if (at + SpinStructs.PAGE > pages.byteSize()) {
      return -1;
    }
    long word = (long) RingLayout.LONG.getAcquire(pages, at);
    int number = (int) word & NUMBER;
    if (number == last[hpu]) {
      return -1;
    }
    last[hpu] = number;
    open.set(hpu, number);
    return (int) Math.min(word >>> LENGTH & 0xFFFF_FFFFL, MAX_PAYLOAD);
  }

  /** Whether the host has a request that it has not answered. */
  boolean asks(int hpu) {
    return open.get(hpu) != NONE;
  }

  /** The task has ended: nobody waits for an answer. */
  void ended(int hpu) {
    open.set(hpu, NONE);
  }

  /** Answers; any thread. */
  boolean answer(int hpu, int length) {
    int number = open.getAndSet(hpu, NONE);
    if (number == NONE) {
      return false;
    }
    RingLayout.LONG.setVolatile(
        hostData, flag(hpu), number | (long) length << LENGTH | (long) hpu << HPU);
    Futex.wake(wakes[hpu], 1);
    return true;
  }
}
