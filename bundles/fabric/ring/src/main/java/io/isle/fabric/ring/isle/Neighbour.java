package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.Hello;
import java.lang.foreign.MemorySegment;

/** What a link knows of its neighbour. The driving thread writes; any thread reads. */
final class Neighbour {
  private final long stallNs;
  private volatile Hello hello;
  private volatile long work;
  private volatile long workNs;

  Neighbour(IsleSpec spec) {
    stallNs = spec.stallNs();
  }

  /** Its greeting; null before the first one. */
  Hello hello() {
    return hello;
  }

  /** Its session; 0 before the first greeting. */
  long session() {
    Hello now = hello;
    return now == null ? 0 : now.session();
  }

  void greeted(Hello theirs) {
    hello = theirs;
  }

  /** A heartbeat. */
  void beaten(MemorySegment frame, long at) {
    work = Heartbeat.work(frame, at);
    workNs = Heartbeat.workAgeNs(frame, at);
  }

  /**
   * The frame that it works on for too long, by its last sign of life.
   *
   * @return the neighbour, the frame and the time in words; empty without one
   */
  String stuck() {
    long frame = work;
    long ageNs = workNs;
    Hello now = hello;
    return now == null || frame == 0 || ageNs < stallNs
        ? ""
        : now.node()
            + " has worked on packet "
            + frame
            + " for "
            + ageNs / 1_000_000
            + " ms: its stage is stuck; see the log of that node, or restart the node";
  }
}
