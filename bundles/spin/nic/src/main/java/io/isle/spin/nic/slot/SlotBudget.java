package io.isle.spin.nic.slot;

import io.isle.spin.nic.plan.NicLimits;

/** The slots of the network interface, of which each context holds at most an equal part. */
public final class SlotBudget {
  private final NicLimits limits;
  private int contexts;
  private int usedSmall;
  private int usedLarge;

  /** All slots are free. */
  public SlotBudget(NicLimits limits) {
    this.limits = limits;
  }

  /** Sets how many contexts have parts. */
  public void contexts(int number) {
    contexts = number;
  }

  /** A slot for a packet; {@link PacketSlots#NONE} where none is left. */
  public int take(PacketSlots slots, int length) {
    if (length <= NicLimits.SMALL_BYTES
        && usedSmall < limits.smallSlots()
        && slots.usedSmall() < limits.smallSlots() / contexts) {
      usedSmall++;
      return slots.takeSmall();
    }
    if (usedLarge < limits.largeSlots() && slots.usedLarge() < limits.largeSlots() / contexts) {
      usedLarge++;
      return slots.takeLarge();
    }
    return PacketSlots.NONE;
  }

  /** Whether {@link #take} would find a slot. */
  public boolean hasRoom(PacketSlots slots, int length) {
    return length <= NicLimits.SMALL_BYTES
            && usedSmall < limits.smallSlots()
            && slots.usedSmall() < limits.smallSlots() / contexts
        || usedLarge < limits.largeSlots() && slots.usedLarge() < limits.largeSlots() / contexts;
  }

  /** A context has freed a slot. */
  public void release(boolean small) {
    if (small) {
      usedSmall--;
    } else {
      usedLarge--;
    }
  }

  /** Releases all slots of a context. */
  public void release(PacketSlots slots) {
    usedSmall -= slots.usedSmall();
    usedLarge -= slots.usedLarge();
  }
}
