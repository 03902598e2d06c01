package io.isle.fabric.ring.node;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeState;
import io.isle.lib.leap.isle.Heartbeat;
import java.lang.foreign.MemorySegment;

/**
 * What a node says about itself in heartbeats. The worker's thread and the thread of the rings
 * write; the thread that drives a link reads.
 */
final class NodeWork {
  private static final LayerRange NONE = new LayerRange(0, 0, false);

  private volatile LayerRange range = NONE;
  private volatile boolean resized;
  private volatile NodeState state = NodeState.WAITING;
  private volatile long frame;
  private volatile long sinceNs;

  /** Work on a frame begins. */
  void begin(long number, long nowNs) {
    sinceNs = nowNs;
    frame = number;
  }

  void end() {
    frame = 0;
  }

  /**
   * The layers of the worker.
   *
   * @param byResize whether a resize gave them; else the settings
   */
  void range(LayerRange now, boolean byResize) {
    range = now;
    resized = byResize;
  }

  /** Whether a resize gave the layers. */
  boolean isResized() {
    return resized;
  }

  LayerRange range() {
    return range;
  }

  void state(NodeState now) {
    state = now;
  }

  NodeState state() {
    return state;
  }

  /** Nanoseconds of work on one frame so far; 0 without work. */
  long ageNs(long nowNs) {
    return frame == 0 ? 0 : Math.max(0, nowNs - sinceNs);
  }

  /** Number of the frame in work; 0 without work. */
  long frame() {
    return frame;
  }

  /** Writes the part of a heartbeat. */
  void write(MemorySegment to, long offset, long nowNs) {
    LayerRange now = range;
    long number = frame;
    Heartbeat.node(
        to,
        offset,
        state.ordinal(),
        number,
        number == 0 ? 0 : ageNs(nowNs),
        now.start(),
        now.end(),
        now.tail());
  }
}
