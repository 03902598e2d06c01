package io.isle.drivers.sim;

import io.isle.api.driver.ContextArgs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A context: a queue with one producer (the data lane) and one consumer at a time (the unit that
 * holds {@link #running}), and counters that the consumer writes.
 */
final class SimContext {
  static final int QUEUE = 256;

  final long id;
  final ContextArgs args;
  final IdTable<SimProgram> programs = new IdTable<>();
  final AtomicBoolean running = new AtomicBoolean();
  final AtomicLong tail = new AtomicLong();
  final AtomicLong head = new AtomicLong();

  /** As {@link #head}, but moved on after the completion was told. */
  final AtomicLong told = new AtomicLong();

  /** The data lane is between its look at {@link #closed} and its change of {@link #tail}. */
  volatile boolean entering;

  volatile boolean closed;

  /** Submissions before this position end with {@link #cancelCode}. */
  volatile long cancelBefore;

  volatile int cancelCode;

  /** Submissions before this position that have not begun end as preempted. */
  volatile long preemptBefore;

  /** Position + 1 of the submission on the engine; 0 if none is. */
  volatile long onEngine;

  /** When that submission began, nanoseconds of the core's clock. */
  volatile long onEngineSinceNs;

  /** Position + 1 of the submission that is to leave the engine, and why. */
  volatile long leave;

  volatile int leaveReason;

  /** After a context error, until a reset. */
  volatile boolean faulted;

  volatile long bytesRead;
  volatile long bytesWritten;
  volatile long kernels;
  volatile long executionNs;
  volatile long succeeded;
  volatile long failed;
  volatile long pageFaults;

  /** Bytes of device memory; control lane. */
  long memoryBytes;

  private final Work[] queue = new Work[QUEUE];
  private final Deque<Long> lost = new ArrayDeque<>();

  SimContext(long id, ContextArgs args) {
    this.id = id;
    this.args = args;
    for (int i = 0; i < QUEUE; i++) {
      queue[i] = new Work();
    }
  }

  Work at(long position) {
    return queue[(int) (position & (QUEUE - 1))];
  }

  /** Whether its oldest submission can begin, or has to end. */
  boolean isReady() {
    long position = head.get();
    return position != tail.get()
        && (at(position).isFree() || position < cancelBefore || position < preemptBefore);
  }

  boolean isFull() {
    return tail.get() - head.get() >= QUEUE;
  }

  /** Keeps the tag of a completion that was lost on purpose. */
  synchronized void lose(long tag) {
    lost.add(tag);
  }

  /** The next lost tag, taken out; null if there is none. */
  synchronized Long nextLost() {
    return lost.poll();
  }

  /** Waits until the data lane is out of {@code submit}; no submission gets in afterwards. */
  void shut() {
    closed = true;
    while (entering) {
      Thread.onSpinWait();
    }
  }
}
