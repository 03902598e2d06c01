package io.isle.spin.nic.live;

import io.isle.spin.nic.core.ContextCounters;
import io.isle.spin.nic.core.DropReason;

/** What contexts of a group have done. Immutable. */
public record GroupCount(
    long packets, long bytes, long messages, long drops, long traps, long hpuNs) {
  /** Nothing yet. */
  public static final GroupCount NONE = new GroupCount(0, 0, 0, 0, 0, 0);

  static GroupCount of(ContextCounters counters) {
    long drops = 0;
    for (DropReason reason : DropReason.values()) {
      drops += counters.drops(reason);
    }
    return new GroupCount(
        counters.packets(),
        counters.bytes(),
        counters.messages(),
        drops,
        counters.traps(),
        counters.hpuNs());
  }

  /** The sum of both. */
  public GroupCount plus(GroupCount other) {
    return new GroupCount(
        packets + other.packets,
        bytes + other.bytes,
        messages + other.messages,
        drops + other.drops,
        traps + other.traps,
        hpuNs + other.hpuNs);
  }
}
