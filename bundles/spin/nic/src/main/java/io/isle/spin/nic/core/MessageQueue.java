package io.isle.spin.nic.core;

import io.isle.spin.nic.slot.PacketList;
import io.isle.spin.nic.slot.PacketSlots;

/**
 * A queue of a context: one message at a time, whose handlers run in their order; packets of other
 * messages wait. A trap of the header handler costs the first packet its packet handler.
 */
final class MessageQueue {
  private final NicContext context;
  private final int index;
  private final PacketSlots slots;
  private final PacketList ready;
  private final PacketList waiting;
  private QueueState state;
  private final OpenMessage message = new OpenMessage();
  private int inFlight;

  /** Whether the queue stands in the list of ready ones, and the one behind it there. */
  boolean listed;

  MessageQueue following;

  MessageQueue(NicContext context, int index) {
    this.context = context;
    this.index = index;
    slots = context.slots();
    ready = new PacketList(slots);
    waiting = new PacketList(slots);
    clear();
  }

  int index() {
    return index;
  }

  NicContext context() {
    return context;
  }

  OpenMessage message() {
    return message;
  }

  QueueState state() {
    return state;
  }

  /** Forgets all packets and tasks. */
  void clear() {
    ready.clear();
    waiting.clear();
    state = context.plan().packetsStandAlone() ? QueueState.ALONE : QueueState.FREE;
    message.clear();
    inFlight = 0;
  }

  /** Packets that no task has. */
  int packets() {
    return ready.size() + waiting.size();
  }

  /** Whether there is a message. */
  boolean open() {
    return state != QueueState.ALONE && state != QueueState.FREE;
  }

  /** Whether the message lacks packets. */
  boolean lacksPackets() {
    return open() && state != QueueState.ABORTING && !message.ended();
  }

  /** Whether nothing of the message can run. */
  boolean stuck() {
    return lacksPackets() && inFlight == 0 && !isReady();
  }

  /** Whether a task can be taken. */
  boolean isReady() {
    return switch (state) {
      case HEADER, COMPLETION -> true;
      case ALONE -> !ready.isEmpty() && !context.held();
      case PAYLOAD -> !ready.isEmpty();
      case FREE, HEADER_RUNNING, COMPLETION_RUNNING, ABORTING -> false;
    };
  }

  void arrive(int slot, long nowNs) {
    if (state == QueueState.ALONE) {
      ready.add(slot);
    } else if (state == QueueState.FREE && !context.held()) {
      begin(slot, nowNs);
    } else if (lacksPackets() && slots.message(slot) == message.id()) {
      join(slot, nowNs);
    } else {
      waiting.add(slot);
    }
    advance(nowNs);
  }

  private void begin(int slot, long nowNs) {
    message.begin(slots.message(slot), nowNs);
    state = context.plan().header() ? QueueState.HEADER : QueueState.PAYLOAD;
    join(slot, nowNs);
  }

  private void join(int slot, long nowNs) {
    message.join(slot, slots.ends(slot), nowNs);
    ready.add(slot);
  }

  /** Takes a task; the queue is ready. */
  void take(NicTask task) {
    inFlight++;
    switch (state) {
      case HEADER -> {
        state = QueueState.HEADER_RUNNING;
        task.set(context, this, HandlerKind.HEADER, ready.remove());
      }
      case COMPLETION -> {
        state = QueueState.COMPLETION_RUNNING;
        task.set(context, this, HandlerKind.TAIL, message.lastSlot());
      }
      default -> task.set(context, this, HandlerKind.PACKET, ready.remove());
    }
  }

  void complete(NicTask task, boolean trapped, long nowNs) {
    inFlight--;
    if (state == QueueState.ABORTING) {
      context.release(task.slot);
      abortFurther(nowNs);
      return;
    }
    switch (task.handler) {
      case HEADER -> {
        state = QueueState.PAYLOAD;
        if (trapped) {
          done(task.slot);
        } else {
          ready.addFirst(task.slot);
        }
      }
      case PACKET -> done(task.slot);
      case TAIL -> {
        context.release(task.slot);
        end(nowNs);
      }
    }
    advance(nowNs);
  }

  /** No packet handler runs any more on a packet. */
  private void done(int slot) {
    if (message.ended() && slot == message.lastSlot() && context.plan().tail()) {
      return;
    }
    context.release(slot);
  }

  /** Goes on where no task is needed. */
  private void advance(long nowNs) {
    while (state == QueueState.PAYLOAD || state == QueueState.ALONE) {
      if (!context.plan().packet()) {
        while (!ready.isEmpty()) {
          done(ready.remove());
        }
      }
      if (state == QueueState.ALONE || !message.ended() || !ready.isEmpty() || inFlight > 0) {
        return;
      }
      if (context.plan().tail()) {
        state = QueueState.COMPLETION;
      } else {
        end(nowNs);
      }
    }
  }

  private void end(long nowNs) {
    context.counters().messages++;
    free(nowNs);
  }

  /** The first packet that waits begins a message, with those of its id behind it. */
  private void free(long nowNs) {
    state = QueueState.FREE;
    message.clear();
    int left = waiting.size();
    if (left == 0 || context.held()) {
      return;
    }
    begin(waiting.remove(), nowNs);
    for (int i = 1; i < left; i++) {
      int slot = waiting.remove();
      if (!message.ended() && slots.message(slot) == message.id()) {
        join(slot, nowNs);
      } else {
        waiting.add(slot);
      }
    }
  }

  /** Tasks that have been taken and have not ended. */
  int inFlight() {
    return inFlight;
  }

  /** Goes on after {@link NicContext#held}. */
  void resume(long nowNs) {
    if (state == QueueState.FREE) {
      free(nowNs);
    }
    advance(nowNs);
  }

  /** The context has another plan; there is no message. */
  void follow() {
    if (context.plan().packetsStandAlone()) {
      state = QueueState.ALONE;
      ready.addAll(waiting);
    } else {
      state = QueueState.FREE;
      waiting.addAll(ready);
    }
  }

  /** A task of a message that is about to be aborted does not start. */
  void cancelled(int slot) {
    inFlight--;
    context.release(slot);
  }

  /** Ends a message that lacks packets. */
  void abort(long nowNs) {
    while (!ready.isEmpty()) {
      context.release(ready.remove());
    }
    context.counters().aborted++;
    state = QueueState.ABORTING;
    abortFurther(nowNs);
  }

  private void abortFurther(long nowNs) {
    if (inFlight == 0) {
      free(nowNs);
      advance(nowNs);
    }
  }
}
