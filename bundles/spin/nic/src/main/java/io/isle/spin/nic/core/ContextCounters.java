package io.isle.spin.nic.core;

/** Counters of a context, since it was attached. Written by the state machine only. */
public final class ContextCounters {
  private final long[] drops = new long[DropReason.values().length];
  long packets;
  long bytes;
  long messages;
  long aborted;
  long lost;
  long tasks;
  long traps;
  long hpuNs;

  void drop(DropReason reason) {
    drops[reason.ordinal()]++;
  }

  /** Packets that match and were not taken. */
  public long drops(DropReason reason) {
    return drops[reason.ordinal()];
  }

  /** Packets that were taken. */
  public long packets() {
    return packets;
  }

  /** Bytes of the packets that were taken. */
  public long bytes() {
    return bytes;
  }

  /** Messages that have ended. */
  public long messages() {
    return messages;
  }

  /** Messages that were aborted. */
  public long aborted() {
    return aborted;
  }

  /** Packets that were taken, and lost in a recovery. */
  public long lost() {
    return lost;
  }

  /** Handlers that have run. */
  public long tasks() {
    return tasks;
  }

  /** Handlers that have not returned. */
  public long traps() {
    return traps;
  }

  /** Time of the HPUs in nanoseconds. */
  public long hpuNs() {
    return hpuNs;
  }
}
