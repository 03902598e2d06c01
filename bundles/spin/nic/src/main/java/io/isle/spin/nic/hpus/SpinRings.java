package io.isle.spin.nic.hpus;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.Futex;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The NIC's side of the memory that it shares with the HPUs of one context (isle_spin.h). A process
 * of a tenant writes there: all that is read is copied once and checked, and -EPROTO says that the
 * process has broken the rules; then the context must be detached. Calls allocate nothing, and
 * never wait. One thread at a time, but for {@link #respond}.
 *
 * <p>An object is for one attachment. A call throws IllegalStateException when the memory is gone,
 * which happens in a recovery.
 */
public final class SpinRings {
  private static final int NONE = 0;
  private static final int MAX_PAYLOAD = SpinStructs.PAGE - 64;

  private final MemorySegment rings;
  private final MemorySegment packets;
  private final HostRequests requests;
  private final HostWaits waits;
  private final RingText text;
  private final MemorySegment frame = Arena.ofAuto().allocate(SpinStructs.FRAME, Long.BYTES);
  private final TaskEnding ending = new TaskEnding();
  private final int[] posted = new int[SpinStructs.HPUS];
  private final int[] taken = new int[SpinStructs.HPUS];
  private final MemorySegment[] wakePosted = new MemorySegment[SpinStructs.HPUS];
  private final MemorySegment[] wakeTaken = new MemorySegment[SpinStructs.HPUS];
  private int busy;

  /**
   * Rings of a context that has just been attached.
   *
   * @param rings mapped, as {@code isle_spin_rings}
   * @param packets mapped packet memory
   * @param hostData mapped, as {@code isle_spin_host_data}
   * @param hostPages mapped; may be empty
   */
  public SpinRings(
      MemorySegment rings, MemorySegment packets, MemorySegment hostData, MemorySegment hostPages) {
    this.rings = rings;
    this.packets = packets;
    requests = new HostRequests(hostData, hostPages);
    waits = new HostWaits(rings, requests);
    text = new RingText(rings);
    for (int hpu = 0; hpu < SpinStructs.HPUS; hpu++) {
      long at = RingLayout.hpu(hpu);
      wakePosted[hpu] = rings.asSlice(at + RingLayout.POSTED, Integer.BYTES);
      wakeTaken[hpu] = rings.asSlice(at + RingLayout.TAKEN, Integer.BYTES);
    }
  }

  /** Copies a packet to its place in the packet memory. */
  public void store(long at, MemorySegment memory, long offset, int length) {
    MemorySegment.copy(memory, offset, packets, at, length);
  }

  /**
   * Gives an HPU a task, and wakes it if it sleeps.
   *
   * @param hpu without a task
   * @param packet where the packet lies in the packet memory
   * @return 0; -EBUSY if it has a task
   */
  public int post(int hpu, HandlerKind handler, int queue, int cluster, long packet, int length) {
    if ((busy >>> hpu & 1) != 0) {
      return -Errno.EBUSY;
    }
    long at = RingLayout.hpu(hpu);
    rings.set(RingLayout.U32, at + RingLayout.HANDLER, handler.ordinal());
    rings.set(RingLayout.U32, at + RingLayout.QUEUE, queue);
    rings.set(RingLayout.U32, at + RingLayout.HOME_CLUSTER, cluster);
    rings.set(RingLayout.U32, at + RingLayout.PACKET, (int) packet);
    rings.set(RingLayout.U32, at + RingLayout.LENGTH, length);
    busy |= 1 << hpu;
    // no exchange: the HPU looks at the line, and may take it between two accesses
    RingLayout.INT.setRelease(rings, at + RingLayout.POSTED, ++posted[hpu]);
    VarHandle.fullFence();
    if ((int) RingLayout.INT.getVolatile(rings, at + RingLayout.SLEEPING) != 0) {
      Futex.wake(wakePosted[hpu], 1);
    }
    return 0;
  }

  /** Bit set of the HPUs that have a task. */
  public int busy() {
    return busy;
  }

  /** Bit set of the HPUs whose task waits for the host, which has its request. */
  public int waiting() {
    return waits.waiting();
  }

  /**
   * Looks at all HPUs that have a task, and passes on what they have done.
   *
   * @return amount of work; -EPROTO if the process has broken the rules
   */
  public int poll(HpuListener listener) {
    int work = 0;
    for (int left = busy; left != 0; left &= left - 1) {
      int done = poll(Integer.numberOfTrailingZeros(left), listener);
      if (done < 0) {
        return done;
      }
      work += done;
    }
    return work;
  }

  private int poll(int hpu, HpuListener listener) {
    long at = RingLayout.hpu(hpu);
    // the end first: frames of the task that are there then are all of its frames
    int ended = (int) RingLayout.INT.getAcquire(rings, at + RingLayout.ENDED);
    if (ended != posted[hpu] && ended != posted[hpu] - 1) {
      return -Errno.EPROTO;
    }
    int sent = (int) RingLayout.INT.getAcquire(rings, at + RingLayout.SENT);
    int frames = sent - taken[hpu];
    if (frames < 0 || frames > SpinStructs.SENDS) {
      return -Errno.EPROTO;
    }
    int passed = frames == 0 ? 0 : pass(hpu, at, frames, listener);
    if (passed < 0 || passed < frames) {
      return passed;
    }
    if (ended == posted[hpu]) {
      return end(hpu, at, listener) ? passed + 1 : -Errno.EPROTO;
    }
    return passed + waits.look(hpu, at, listener);
  }

  private int pass(int hpu, long at, int frames, HpuListener listener) {
    for (int i = 0; i < frames; i++) {
      long from = RingLayout.frame(at, taken[hpu] + i);
      int length = (int) RingLayout.INT.getOpaque(rings, from + RingLayout.SENT_LENGTH);
      if (length < 1 || length > SpinStructs.FRAME) {
        return -Errno.EPROTO;
      }
      MemorySegment.copy(rings, from + RingLayout.SENT_FRAME, frame, 0, length);
      if (!listener.sent(hpu, frame, 0, length)) {
        return took(hpu, at, i, frames);
      }
    }
    return took(hpu, at, frames, frames);
  }

  private int took(int hpu, long at, int passed, int frames) {
    if (passed > 0) {
      taken[hpu] += passed;
      RingLayout.INT.setVolatile(rings, at + RingLayout.TAKEN, taken[hpu]);
      if (frames == SpinStructs.SENDS) {
        // it may wait for room
        Futex.wake(wakeTaken[hpu], 1);
      }
    }
    return passed;
  }

  private boolean end(int hpu, long at, HpuListener listener) {
    ending.result = (int) RingLayout.INT.getOpaque(rings, at + RingLayout.RESULT);
    ending.cause = (int) RingLayout.INT.getOpaque(rings, at + RingLayout.CAUSE);
    ending.instruction = (int) RingLayout.INT.getOpaque(rings, at + RingLayout.INSTRUCTION);
    ending.address = (long) RingLayout.LONG.getOpaque(rings, at + RingLayout.ADDRESS);
    long start = (long) RingLayout.LONG.getOpaque(rings, at + RingLayout.START_NS);
    long end = (long) RingLayout.LONG.getOpaque(rings, at + RingLayout.END_NS);
    ending.ns = Math.max(0, end - start);
    boolean trapped = ending.result == SpinStructs.RESULT_TRAPPED;
    boolean known =
        ending.result >= SpinStructs.RESULT_DONE
            && ending.result <= SpinStructs.RESULT_REFUSED
            && ending.cause >= (trapped ? SpinStructs.CAUSE_ACCESS : NONE)
            && ending.cause <= SpinStructs.CAUSE_STOPPED;
    if (!known) {
      return false;
    }
    busy &= ~(1 << hpu);
    waits.ended(hpu);
    listener.ended(hpu, ending);
    return true;
  }

  /** The task of an HPU should have its answer, or have ended: it counts as running to its end. */
  public void overdue(int hpu) {
    waits.overdue(hpu);
  }

  /**
   * Answers the request of an HPU. Any thread.
   *
   * @param length of the payload in the HPU's host page
   * @return 0; -ENOENT if the HPU has not asked; -EINVAL for another HPU or length
   */
  public int respond(int hpu, int length) {
    if (hpu < 0 || hpu >= SpinStructs.HPUS || length < 0 || length > MAX_PAYLOAD) {
      return -Errno.EINVAL;
    }
    return requests.answer(hpu, length) ? 0 : -Errno.ENOENT;
  }

  /** Whether a run of traps has ended the taking of tasks. */
  public boolean stopped() {
    return (int) RingLayout.INT.getAcquire(rings, RingLayout.STOPPED) != 0;
  }

  /**
   * A counter of the HPUs, as they say; any thread.
   *
   * @param name in {@code isle_spin_counters}
   */
  public long counter(String name) {
    long at = RingLayout.COUNTERS + SpinStructs.COUNTERS.offset(name);
    return (long) RingLayout.LONG.getOpaque(rings, at);
  }

  /**
   * Takes what handlers have printed since the last call: printable characters and newlines.
   *
   * @param into what does not fit comes with the next call
   * @return bytes; -EPROTO if the process has broken the rules
   */
  public int text(byte[] into) {
    return text.take(into);
  }
}
