package io.isle.spin.nic.slot;

/** Slots in an order; a slot is in one list at a time. */
public final class PacketList {
  private final PacketSlots slots;
  private int first = PacketSlots.NONE;
  private int last;
  private int size;

  /** An empty list of slots of one context. */
  public PacketList(PacketSlots slots) {
    this.slots = slots;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  /** Forgets the slots, which others free. */
  public void clear() {
    first = PacketSlots.NONE;
    size = 0;
  }

  /** Puts a slot behind the others. */
  public void add(int slot) {
    slots.next(slot, PacketSlots.NONE);
    if (size++ == 0) {
      first = slot;
    } else {
      slots.next(last, slot);
    }
    last = slot;
  }

  /** Puts a slot before the others. */
  public void addFirst(int slot) {
    slots.next(slot, first);
    first = slot;
    if (size++ == 0) {
      last = slot;
    }
  }

  /** Takes all slots of another list, which come behind the others. */
  public void addAll(PacketList from) {
    while (!from.isEmpty()) {
      add(from.remove());
    }
  }

  /** Takes the first slot; the list has one. */
  public int remove() {
    int slot = first;
    first = slots.next(slot);
    size--;
    return slot;
  }
}
