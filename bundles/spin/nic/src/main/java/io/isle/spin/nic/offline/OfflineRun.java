package io.isle.spin.nic.offline;

import io.isle.spin.nic.core.AbortReason;
import io.isle.spin.nic.core.ContextCounters;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.core.NicCore;
import io.isle.spin.nic.core.NicOutput;
import io.isle.spin.nic.core.NicTask;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/**
 * Handlers on packets of a capture. All tasks that a packet makes possible run, one at a time on
 * the home cluster of their queue, before the next packet is taken; so the same packets give the
 * same tasks. The state machine is that of a live network interface; its clock counts steps.
 */
public final class OfflineRun {
  private static final int SLOT = 0;
  private static final long NONE = -1;

  private final NicCore core;
  private final TaskRunner runner;
  private final OfflineOutput output;
  private final Map<HandlerKind, RunTimes> times = new EnumMap<>(HandlerKind.class);
  private final Map<HandlerKind, Long> traps = new EnumMap<>(HandlerKind.class);
  private final long[] packetOfSlot;
  private OfflineTask next;
  private long nextTag;
  private long packets;
  private long sent;
  private long notRun = NONE;
  private long step;
  private boolean atEnd;

  /** A run without packets so far. */
  public OfflineRun(NicLimits limits, ContextPlan plan, TaskRunner runner, OfflineOutput output) {
    this.runner = runner;
    this.output = output;
    packetOfSlot = new long[limits.slots()];
    core = new NicCore(limits, 1, Long.MAX_VALUE, new Steps());
    core.attach(SLOT, plan);
    for (HandlerKind handler : HandlerKind.values()) {
      times.put(handler, new RunTimes());
      traps.put(handler, 0L);
    }
  }

  /** Called by the state machine, which must not be called from here. */
  private final class Steps implements NicOutput {
    @Override
    public void store(int context, int slot, MemorySegment memory, long offset, int length) {
      packetOfSlot[slot] = packets;
      runner.store(slot, memory, offset, length);
    }

    @Override
    public void dispatch(NicTask task) {
      next = OfflineTask.of(task, packetOfSlot[task.slot()]);
      nextTag = task.tag();
    }

    @Override
    public void aborted(int context, int message, AbortReason reason) {
      output.aborted(message, atEnd);
    }
  }

  /**
   * Takes the next packet of the capture. Where the packet memory is full, messages that wait for
   * packets are aborted, the oldest first, until there is room.
   */
  public void packet(MemorySegment memory, long offset, int length) {
    while (!core.hasRoom(memory, offset, length) && core.abortOldest(++step)) {
      runAll();
    }
    if (core.arrive(memory, offset, length, ++step) == NicCore.UNMATCHED) {
      output.unmatched(memory, offset, length);
    }
    packets++;
    runAll();
  }

  /** The capture has ended: messages that wait for packets are aborted, the oldest first. */
  public void end() {
    atEnd = true;
    while (core.abortOldest(++step)) {
      runAll();
    }
  }

  private void runAll() {
    while (notRun == NONE && core.dispatch(++step) > 0) {
      OfflineTask task = next;
      TaskEnd end =
          runner.run(task, (memory, offset, length) -> sent(task, memory, offset, length));
      if (end.refused()) {
        notRun = task.packet();
      } else {
        times.get(task.handler()).add(end.ns());
      }
      end.trap().ifPresent(trap -> trapped(task, trap));
      // a task of this run, as nothing else ends tasks
      int ignored = core.complete(nextTag, end.trap().isPresent(), ++step);
    }
  }

  private void sent(OfflineTask task, MemorySegment memory, long offset, int length) {
    sent++;
    output.sent(task, memory, offset, length);
  }

  private void trapped(OfflineTask task, TaskTrap trap) {
    traps.merge(task.handler(), 1L, Long::sum);
    output.trapped(task, trap);
  }

  /** Times of the runs of a handler, also of those that have not returned. */
  public RunTimes times(HandlerKind handler) {
    return times.get(handler);
  }

  /** Runs of a handler that have not returned. */
  public long traps(HandlerKind handler) {
    return traps.get(handler);
  }

  /** Packets of the capture so far. */
  public long packets() {
    return packets;
  }

  /** Packets that match no rules. */
  public long unmatched() {
    return core.unmatched();
  }

  /** Packet of the first task that HPUs have refused, behind which none runs; -1 for none. */
  public long notRun() {
    return notRun;
  }

  /** Whether HPUs have refused a task. */
  public boolean refused() {
    return notRun != NONE;
  }

  /** Frames that handlers have sent. */
  public long sent() {
    return sent;
  }

  /** What the network interface has counted, but for times: its clock counts steps. */
  public ContextCounters counters() {
    return core.counters(SLOT);
  }
}
