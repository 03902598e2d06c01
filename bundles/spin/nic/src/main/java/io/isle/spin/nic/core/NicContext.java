package io.isle.spin.nic.core;

import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import io.isle.spin.nic.slot.PacketSlots;
import io.isle.spin.nic.slot.SlotBudget;

/** An attached execution context. */
final class NicContext {
  private final int index;
  private ContextPlan plan;
  private final GroupShare share;
  private final PacketSlots slots;
  private final SlotBudget budget;
  private final MessageQueue[] queues = new MessageQueue[NicLimits.QUEUES];
  private final ContextCounters counters = new ContextCounters();
  private boolean frozen;
  private boolean held;

  NicContext(int index, ContextPlan plan, GroupShare share, NicLimits limits, SlotBudget budget) {
    this.index = index;
    this.plan = plan;
    this.share = share;
    this.budget = budget;
    slots = new PacketSlots(limits);
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new MessageQueue(this, i);
    }
  }

  int index() {
    return index;
  }

  ContextPlan plan() {
    return plan;
  }

  GroupShare share() {
    return share;
  }

  PacketSlots slots() {
    return slots;
  }

  ContextCounters counters() {
    return counters;
  }

  MessageQueue queue(int number) {
    return queues[number];
  }

  boolean frozen() {
    return frozen;
  }

  void freeze(boolean on) {
    frozen = on;
  }

  /** Whether no message begins, and no packet that stands alone is handled. */
  boolean held() {
    return held;
  }

  void hold(boolean on) {
    held = on;
  }

  /** Other handlers and rules; nothing runs. */
  void plan(ContextPlan next) {
    plan = next;
    for (MessageQueue queue : queues) {
      queue.follow();
    }
  }

  void release(int slot) {
    slots.release(slot);
    budget.release(slots.isSmall(slot));
  }

  /** Forgets all packets and messages. */
  void clear() {
    counters.lost += slots.usedSmall() + slots.usedLarge();
    budget.release(slots);
    slots.clear();
    for (MessageQueue queue : queues) {
      queue.clear();
    }
  }
}
