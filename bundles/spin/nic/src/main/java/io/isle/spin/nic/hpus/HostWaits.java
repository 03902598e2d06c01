package io.isle.spin.nic.hpus;

import java.lang.foreign.MemorySegment;

/**
 * Which tasks wait for the host: those that say so, as long as the host has their request, and only
 * once in vain. Allocates nothing.
 */
final class HostWaits {
  private final MemorySegment rings;
  private final HostRequests requests;
  private int waiting;

  /** HPUs whose task has waited without an answer, and is not believed again. */
  private int spent;

  HostWaits(MemorySegment rings, HostRequests requests) {
    this.rings = rings;
    this.requests = requests;
  }

  /** Bit set of the HPUs whose task waits. */
  int waiting() {
    return waiting;
  }

  /**
   * Looks at the task of an HPU, and passes on what it has done.
   *
   * @param at where the HPU lies
   * @return amount of work
   */
  int look(int hpu, long at, HpuListener listener) {
    boolean says = (int) RingLayout.INT.getAcquire(rings, at + RingLayout.WAITING) != 0;
    int length = says ? requests.take(hpu) : -1;
    boolean asks = requests.asks(hpu);
    if (asks && !says) {
      overdue(hpu);
    }
    boolean waits = says && asks && (spent >>> hpu & 1) == 0;
    int work = 0;
    if (waits != ((waiting >>> hpu & 1) != 0)) {
      waiting ^= 1 << hpu;
      listener.waits(hpu, waits);
      work++;
    }
    if (length >= 0) {
      listener.requested(hpu, length);
      work++;
    }
    return work;
  }

  /** The task of an HPU counts as running to its end. */
  void overdue(int hpu) {
    spent |= 1 << hpu;
  }

  /** The task of an HPU has ended. */
  void ended(int hpu) {
    waiting &= ~(1 << hpu);
    spent &= ~(1 << hpu);
    requests.ended(hpu);
  }
}
