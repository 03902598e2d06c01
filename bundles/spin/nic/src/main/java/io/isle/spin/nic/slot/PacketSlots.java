package io.isle.spin.nic.slot;

import io.isle.spin.nic.plan.NicLimits;

/** The slots of a context's packet memory, and what lies in them. */
public final class PacketSlots {
  /** No slot. */
  public static final int NONE = -1;

  private final NicLimits limits;
  private final int[] free;
  private final int[] next;
  private final int[] length;
  private final int[] message;
  private final boolean[] ends;
  private int freeSmall;
  private int freeLarge;

  /** All slots are free. */
  public PacketSlots(NicLimits limits) {
    this.limits = limits;
    free = new int[limits.slots()];
    next = new int[limits.slots()];
    length = new int[limits.slots()];
    message = new int[limits.slots()];
    ends = new boolean[limits.slots()];
    clear();
  }

  /** Frees all slots. */
  public void clear() {
    for (int i = 0; i < free.length; i++) {
      free[i] = i;
    }
    freeSmall = limits.smallSlots();
    freeLarge = limits.largeSlots();
  }

  /** Small slots with a packet. */
  public int usedSmall() {
    return limits.smallSlots() - freeSmall;
  }

  /** Large slots with a packet. */
  public int usedLarge() {
    return limits.largeSlots() - freeLarge;
  }

  /** A free small slot; there is one. */
  public int takeSmall() {
    return free[--freeSmall];
  }

  /** A free large slot; there is one. */
  public int takeLarge() {
    return free[limits.smallSlots() + --freeLarge];
  }

  /** Frees a slot. */
  public void release(int slot) {
    if (isSmall(slot)) {
      free[freeSmall++] = slot;
    } else {
      free[limits.smallSlots() + freeLarge++] = slot;
    }
  }

  /** Whether the slot is a small one. */
  public boolean isSmall(int slot) {
    return slot < limits.smallSlots();
  }

  /** Says what lies in a slot. */
  public void set(int slot, int bytes, int id, boolean last) {
    length[slot] = bytes;
    message[slot] = id;
    ends[slot] = last;
  }

  /** Bytes of the packet. */
  public int length(int slot) {
    return length[slot];
  }

  /** Id of the message of the packet. */
  public int message(int slot) {
    return message[slot];
  }

  /** Whether the packet ends its message. */
  public boolean ends(int slot) {
    return ends[slot];
  }

  /** The slot behind this in its list. */
  public int next(int slot) {
    return next[slot];
  }

  /** Sets the slot behind this in its list. */
  public void next(int slot, int following) {
    next[slot] = following;
  }
}
