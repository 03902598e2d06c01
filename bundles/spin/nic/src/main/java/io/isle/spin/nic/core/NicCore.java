package io.isle.spin.nic.core;

import io.isle.api.base.Errno;
import io.isle.api.spin.PacketMatcher;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import io.isle.spin.nic.slot.PacketSlots;
import java.lang.foreign.MemorySegment;

/**
 * The state machine of a programmable network interface. Times are nanoseconds of one clock, and
 * never go back. One thread at a time; calls of the data path allocate nothing.
 */
public final class NicCore {
  /** The packet matches no context. */
  public static final int UNMATCHED = -1;

  /** The packet matches a context, which does not take it. */
  public static final int DROPPED = -2;

  private final NicOutput output;
  private final FairGroups groups = new FairGroups();
  private final ContextTable contexts;
  private final Hpus hpus;
  private final MessageAborts aborts;
  private final HandlerSwap swap;
  private final NicView view;
  private long messageTimeoutNs;
  private long unmatched;

  /**
   * A network interface without contexts.
   *
   * @param parallel most tasks that run at a time, those that wait for the host not counted
   * @param messageTimeoutNs time without a packet after which a message is aborted
   */
  public NicCore(NicLimits limits, int parallel, long messageTimeoutNs, NicOutput output) {
    this.output = output;
    this.messageTimeoutNs = messageTimeoutNs;
    contexts = new ContextTable(limits);
    hpus = new Hpus(limits, groups, output, parallel);
    aborts = new MessageAborts(contexts, groups, hpus, output);
    swap = new HandlerSwap(contexts, groups, aborts);
    view = new NicView(contexts, hpus);
  }

  /** Replaces handlers of contexts; control path. */
  public HandlerSwap swap() {
    return swap;
  }

  /** Shows queues and HPUs; control path. */
  public NicView view() {
    return view;
  }

  /** Sets how many tasks run at a time; control path. */
  public void parallel(int tasks) {
    hpus.parallel(tasks);
  }

  /** Sets the time without a packet after which a message is aborted; control path. */
  public void messageTimeout(long timeoutNs) {
    messageTimeoutNs = timeoutNs;
  }

  /**
   * Sets the weight of a group, which keeps it as long as it has a context; control path.
   *
   * @param weight 1 to 10000; 100 at first
   */
  public void weight(String group, int weight, long nowNs) {
    groups.weight(group, weight, nowNs);
  }

  /**
   * Adds an execution context; control path.
   *
   * @param slot 0 to 3
   * @throws SpinException EINVAL for another slot; EBUSY if the slot has a context
   */
  public void attach(int slot, ContextPlan plan) {
    contexts.add(slot, plan, groups);
  }

  /** Removes a context with its packets and messages; control path. */
  public void detach(int slot, long nowNs) {
    NicContext context = contexts.get(slot);
    aborts.stop(context, AbortReason.DETACH, nowNs);
    groups.leave(context.share());
    contexts.remove(slot);
  }

  /**
   * Ends all tasks of a context, whose HPUs are gone, and loses its packets; it takes no others
   * until {@link #thaw}. Control path.
   */
  public void freeze(int slot, long nowNs) {
    NicContext context = contexts.get(slot);
    aborts.stop(context, AbortReason.RECOVERY, nowNs);
    context.freeze(true);
  }

  /** A context takes packets again; control path. */
  public void thaw(int slot) {
    contexts.get(slot).freeze(false);
  }

  /**
   * Takes a packet.
   *
   * @return slot of the context; {@link #UNMATCHED}; {@link #DROPPED}, which is counted
   */
  public int arrive(MemorySegment memory, long offset, int length, long nowNs) {
    int match = contexts.matcher().match(memory, offset, length);
    if (match == PacketMatcher.NONE) {
      unmatched++;
      return UNMATCHED;
    }
    NicContext context = contexts.at(PacketMatcher.slot(match));
    if (context.frozen()) {
      return dropped(context, DropReason.RECOVERY);
    }
    if (length > NicLimits.LARGE_BYTES) {
      return dropped(context, DropReason.LENGTH);
    }
    int slot = contexts.budget().take(context.slots(), length);
    if (slot == PacketSlots.NONE) {
      return dropped(context, DropReason.SLOTS);
    }
    int message = PacketMatcher.message(memory, offset, length);
    context.slots().set(slot, length, message, PacketMatcher.endsMessage(match));
    context.counters().packets++;
    context.counters().bytes += length;
    output.store(context.index(), slot, memory, offset, length);
    MessageQueue queue = context.queue(message & NicLimits.QUEUES - 1);
    queue.arrive(slot, nowNs);
    groups.list(queue, nowNs);
    return context.index();
  }

  private static int dropped(NicContext context, DropReason reason) {
    context.counters().drop(reason);
    return DROPPED;
  }

  /** Whether {@link #arrive} would not drop the packet for want of a slot. */
  public boolean hasRoom(MemorySegment memory, long offset, int length) {
    int match = contexts.matcher().match(memory, offset, length);
    return match == PacketMatcher.NONE
        || length > NicLimits.LARGE_BYTES
        || contexts.budget().hasRoom(contexts.at(PacketMatcher.slot(match)).slots(), length);
  }

  /**
   * Starts all tasks that can start.
   *
   * @return their number
   */
  public int dispatch(long nowNs) {
    return hpus.dispatch(nowNs);
  }

  /**
   * A task has ended.
   *
   * @param trapped whether the handler has not returned
   * @return 0; -ESTALE if the task has ended before, or is lost
   */
  public int complete(long tag, boolean trapped, long nowNs) {
    NicTask task = hpus.find(tag);
    if (task == null) {
      return -Errno.ESTALE;
    }
    MessageQueue queue = task.queue;
    ContextCounters counters = task.context.counters();
    counters.tasks++;
    counters.traps += trapped ? 1 : 0;
    queue.complete(task, trapped, nowNs);
    // before the charge: a group whose next task is ready is not idle in between
    groups.list(queue, nowNs);
    hpus.charge(task, nowNs);
    hpus.end(task);
    return 0;
  }

  /**
   * A task begins or ends to wait for the host.
   *
   * @return 0; -ESTALE as {@link #complete}
   */
  public int hostWait(long tag, boolean waits) {
    return hpus.hostWait(tag, waits) ? 0 : -Errno.ESTALE;
  }

  /**
   * Aborts the messages that have had no packet for too long.
   *
   * @return their number
   */
  public int expire(long nowNs) {
    return aborts.expire(messageTimeoutNs, nowNs);
  }

  /**
   * Makes room where nothing can go on: aborts the message that began first among those that wait
   * for packets and for nothing else.
   *
   * @return whether there was one
   */
  public boolean abortOldest(long nowNs) {
    return aborts.abortOldest(nowNs);
  }

  /** Counters of a context; they go on while it is attached. */
  public ContextCounters counters(int slot) {
    return contexts.get(slot).counters();
  }

  /** Slots that the packets of a context have. */
  public int usedSlots(int slot) {
    PacketSlots slots = contexts.get(slot).slots();
    return slots.usedSmall() + slots.usedLarge();
  }

  /** Packets that matched no context. */
  public long unmatched() {
    return unmatched;
  }

  /** Tasks that run and do not wait for the host. */
  public int running() {
    return hpus.running();
  }
}
