package com.example.jdemo;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverServices;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The device's thread and its queue. The data lane adds work, the thread takes work in order, the
 * control lane cancels work. The thread that changes the phase of a position owns its work.
 */
final class Worker {
  /** The limit of the core for work in flight. */
  private static final int PLACES = 1024;

  private static final int QUEUED = 1;
  private static final int RUNNING = 2;
  private static final int TAKEN = 3;
  private static final long NAP_NS = 50_000;

  private final DriverServices core;
  private final Work[] queue = new Work[PLACES];
  // position << 2 | phase
  private final AtomicLongArray words = new AtomicLongArray(PLACES);
  private final AtomicLong head = new AtomicLong();
  private final AtomicLong tail = new AtomicLong();
  private final Thread thread = new Thread(this::serve, "jdemo-worker");
  private volatile long stop = -1;
  private volatile int stopCode;
  private volatile boolean idle;
  private volatile boolean ending;
  private volatile long busyNs;
  // odd while the data lane is inside
  private volatile long entries;

  Worker(DriverServices core) {
    this.core = core;
    for (int i = 0; i < PLACES; i++) {
      queue[i] = new Work();
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** Time that work has taken so far. */
  long busyNs() {
    return busyNs;
  }

  /** Data lane: called before the lookup of the context and after the submission. */
  void cross() {
    long now = entries + 1;
    entries = now;
  }

  /** Data lane: 0 or a negated code; neither waits nor allocates. */
  int submit(
      IdTable<DemoMemory> memories,
      DemoContext context,
      long tag,
      MemorySegment commands,
      long offset,
      int length) {
    long position = tail.get();
    if (position - head.get() >= PLACES) {
      return -Errno.EAGAIN;
    }
    int place = (int) (position % PLACES);
    Work work = queue[place];
    work.context = context;
    work.tag = tag;
    int code = Intake.take(memories, work, commands, offset, length);
    if (code == 0) {
      words.set(place, position << 2 | QUEUED);
      tail.set(position + 1);
      if (idle) {
        LockSupport.unpark(thread);
      }
    }
    return code;
  }

  private void serve() {
    while (!ending) {
      idle = true;
      if (head.get() == tail.get()) {
        LockSupport.park(this);
      }
      idle = false;
      for (long position = head.get(); position < tail.get(); position++) {
        run(position);
        head.set(position + 1);
      }
    }
  }

  private void run(long position) {
    int place = (int) (position % PLACES);
    if (!words.compareAndSet(place, position << 2 | QUEUED, position << 2 | RUNNING)) {
      // cancelled, or in cancellation: then the slot is still in use
      while (words.get(place) == (position << 2 | RUNNING)) {
        Thread.onSpinWait();
      }
      return;
    }
    Work work = queue[place];
    long start = core.clock().nanoTime();
    core.started(work.tag, start);
    int code;
    try {
      code = new Execution(work, () -> stop == position ? stopCode : 0).run();
    } catch (RuntimeException e) {
      core.log(System.Logger.Level.ERROR, "work failed by a defect: " + e);
      code = -Errno.EIO;
    }
    long end = core.clock().nanoTime();
    long sum = busyNs + end - start;
    busyNs = sum;
    finish(work, code, start, end);
    words.set(place, position << 2 | TAKEN);
  }

  /** Releases the memory, then reports the completion. */
  private void finish(Work work, int code, long start, long end) {
    long tag = work.tag;
    work.release();
    int status = code == 0 ? CompletionSink.SUCCESS : CompletionSink.ERROR;
    int ignored = core.completions().complete(tag, status, start, end, end - start, code);
  }

  /**
   * Control lane: ends all work of a context (null: of all contexts) that was submitted so far, and
   * returns after the end of this work.
   */
  void cancel(DemoContext context, int code) {
    long seen = entries;
    while ((seen & 1) != 0 && entries == seen) {
      Thread.onSpinWait(); // includes work of a submission in progress
    }
    long end = tail.get();
    for (long position = head.get(); position < end; position++) {
      int place = (int) (position % PLACES);
      Work work = queue[place];
      if (context != null && work.context != context) {
        continue;
      }
      // the worker waits for TAKEN, so no submission reuses the slot before
      if (words.compareAndSet(place, position << 2 | QUEUED, position << 2 | RUNNING)) {
        long now = core.clock().nanoTime();
        finish(work, code, now, now);
        words.set(place, position << 2 | TAKEN);
        continue;
      }
      stopCode = code;
      stop = position;
      while (words.get(place) == (position << 2 | RUNNING)) {
        LockSupport.parkNanos(NAP_NS);
      }
    }
  }

  /** Ends the thread. All work must be cancelled before. */
  void close() {
    ending = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      LockSupport.unpark(thread);
      try {
        thread.join(1);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
