package io.isle.drivers.sim;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverServices;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The compute units: threads that take work from contexts, those of high priority first. Work of a
 * context runs in order, on one unit at a time. Whatever else is thrown in a unit, the device is
 * lost with it, and the core is told.
 */
final class Units {
  private static final long NAP_NS = 50_000_000;
  private static final int BATCH = 32;

  /** A unit; parked while it finds no work. */
  private final class Unit extends Thread {
    volatile boolean idle;

    Unit(String name) {
      super(name);
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        work();
      } catch (RuntimeException | Error e) {
        die("a compute unit failed: " + e);
      }
    }

    private void work() {
      while (!stopping) {
        if (!serve()) {
          idle = true;
          if (!anyWork() && !stopping) {
            LockSupport.parkNanos(Units.this, NAP_NS);
          }
          idle = false;
        }
      }
    }
  }

  private final DriverServices core;
  private final WorkRunner runner;
  private final Unit[] units;
  private volatile SimContext[] contexts = {};
  private volatile boolean stopping;
  private volatile boolean dead;

  Units(String name, DriverServices core, SimSettings settings, WorkRunner runner) {
    this.core = core;
    this.runner = runner;
    units = new Unit[settings.computeUnits()];
    for (int i = 0; i < units.length; i++) {
      units[i] = new Unit("isle-sim-" + name + "-" + i);
    }
    for (Unit unit : units) {
      unit.start();
    }
  }

  /** The contexts to serve; control lane. */
  void serve(List<SimContext> now) {
    contexts =
        now.stream()
            .sorted((a, b) -> b.args.priority().compareTo(a.args.priority()))
            .toArray(SimContext[]::new);
  }

  /** The contexts that are served. */
  SimContext[] served() {
    return contexts;
  }

  /** There is new work; data lane, never blocks. */
  void wake() {
    for (Unit unit : units) {
      if (unit.idle) {
        unit.idle = false;
        LockSupport.unpark(unit);
        return;
      }
    }
  }

  /** A simulated crash ended the device's work for good. */
  boolean isDead() {
    return dead;
  }

  long busyNs() {
    return runner.busyNs();
  }

  long bytesMoved() {
    return runner.bytesMoved();
  }

  /**
   * Ends everything of the context that was submitted until now with an ERROR completion; returns
   * when it has ended. Control lane.
   */
  void cancel(SimContext context, int code) {
    long upto = context.tail.get();
    context.cancelCode = code;
    context.cancelBefore = upto;
    while (context.told.get() < upto && !dead) {
      for (Unit unit : units) {
        LockSupport.unpark(unit);
      }
      LockSupport.parkNanos(20_000);
    }
    for (Long tag = context.nextLost(); tag != null; tag = context.nextLost()) {
      long now = core.clock().nanoTime();
      core.completions().complete(tag, CompletionSink.ERROR, now, now, 0, code);
    }
    context.faulted = false;
  }

  /** Ends the threads and waits for them. */
  void stop() {
    stopping = true;
    boolean interrupted = false;
    for (Unit unit : units) {
      LockSupport.unpark(unit);
      while (unit.isAlive()) {
        try {
          unit.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean anyWork() {
    for (SimContext context : contexts) {
      if (context.isReady() && !context.running.get()) {
        return !dead;
      }
    }
    return false;
  }

  private void die(String why) {
    dead = true;
    core.lost(why);
  }

  private boolean serve() {
    for (SimContext context : contexts) {
      if (!dead && context.isReady() && context.running.compareAndSet(false, true)) {
        try {
          for (int i = 0; i < BATCH && !dead && context.isReady(); i++) {
            runner.runOne(context).ifPresent(this::die);
          }
        } finally {
          context.running.set(false);
        }
        return true;
      }
    }
    return false;
  }
}
