package io.isle.core.accel.queue;

import java.util.concurrent.locks.LockSupport;

/** A thread that sleeps until it is woken: what those who wake it know of it. Thread-safe. */
abstract class WokenThread implements Runnable {
  final Thread thread;

  /**
   * @param priority of {@link Thread}
   */
  WokenThread(String name, int priority) {
    this.thread = Thread.ofPlatform().daemon().name(name).priority(priority).unstarted(this);
  }

  /** There may be something to do. Any thread. */
  final void wake() {
    LockSupport.unpark(thread);
  }
}
