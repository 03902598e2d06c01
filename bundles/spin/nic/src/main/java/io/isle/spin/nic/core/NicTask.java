package io.isle.spin.nic.core;

/** A handler on a packet. Mutable; used again for other tasks. */
public final class NicTask {
  private final int hpu;
  private int generation;
  NicContext context;
  MessageQueue queue;
  HandlerKind handler;
  int slot;
  long startNs;
  boolean hostWait;

  /**
   * @param hpu -1 for a task that waits
   */
  NicTask(int hpu) {
    this.hpu = hpu;
  }

  boolean idle() {
    return context == null;
  }

  void set(NicContext of, MessageQueue from, HandlerKind kind, int packet) {
    context = of;
    queue = from;
    handler = kind;
    slot = packet;
  }

  void set(NicTask other) {
    set(other.context, other.queue, other.handler, other.slot);
  }

  void start(long nowNs) {
    generation++;
    startNs = nowNs;
    hostWait = false;
  }

  void clear() {
    context = null;
    queue = null;
  }

  /** Names this run on this HPU; no other run has the same. */
  public long tag() {
    return Integer.toUnsignedLong(generation) << 8 | hpu;
  }

  /** When the task started. */
  public long startNs() {
    return startNs;
  }

  /** Whether the task waits for the host. */
  public boolean waitsForHost() {
    return hostWait;
  }

  /** Slot of the context. */
  public int context() {
    return context.index();
  }

  /** Number of the HPU, over all clusters. */
  public int hpu() {
    return hpu;
  }

  /** Which handler runs. */
  public HandlerKind handler() {
    return handler;
  }

  /** Slot of the packet in the packet memory of the context. */
  public int slot() {
    return slot;
  }

  /** Bytes of the packet. */
  public int length() {
    return context.slots().length(slot);
  }

  /** Id of the packet's message. */
  public int message() {
    return context.slots().message(slot);
  }

  /** Index of the queue. */
  public int queue() {
    return queue.index();
  }

  /** Whether the packet ends its message. */
  public boolean endsMessage() {
    return context.slots().ends(slot);
  }
}
