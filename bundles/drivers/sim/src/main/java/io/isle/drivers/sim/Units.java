package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverServices;
import io.isle.api.driver.FaultInjection.Fault;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The compute units: threads that take work from contexts, those of high priority first. Work of a
 * context runs in order, on one unit at a time.
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
  private final SimSettings settings;
  private final FaultPlan faults;
  private final LongAdder busyNs = new LongAdder();
  private final LongAdder bytesMoved = new LongAdder();
  private final Unit[] units;
  private volatile SimContext[] contexts = {};
  private volatile boolean stopping;
  private volatile boolean dead;

  Units(String name, DriverServices core, SimSettings settings, FaultPlan faults) {
    this.core = core;
    this.settings = settings;
    this.faults = faults;
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
    return busyNs.sum();
  }

  long bytesMoved() {
    return bytesMoved.sum();
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
      if (context.hasWork() && !context.running.get()) {
        return !dead;
      }
    }
    return false;
  }

  private boolean serve() {
    for (SimContext context : contexts) {
      if (!dead && context.hasWork() && context.running.compareAndSet(false, true)) {
        try {
          for (int i = 0; i < BATCH && !dead && context.hasWork(); i++) {
            runOne(context);
          }
        } finally {
          context.running.set(false);
        }
        return true;
      }
    }
    return false;
  }

  private void runOne(SimContext context) {
    long position = context.head.get();
    Work work = context.at(position);
    Run run = new Run(context, work, position, core.clock());
    Optional<FaultPlan.Met> fault = Optional.empty();
    int status = CompletionSink.ERROR;
    int detail;
    if (position < context.cancelBefore) {
      detail = context.cancelCode;
    } else if (position < context.preemptBefore) {
      status = CompletionSink.PREEMPTED;
      detail = 0;
    } else {
      fault = faults.next();
      if (fault.isPresent() && isFatal(fault.get().fault())) {
        die(fault.get().fault());
        return;
      }
      detail = live(run, fault);
      status = status(detail, fault);
    }
    finish(context, run, status, count(status, detail, work), isLost(fault));
  }

  private static boolean isFatal(Fault fault) {
    return fault == Fault.SEGV || fault == Fault.ABORT || fault == Fault.EXIT;
  }

  private static boolean isLost(Optional<FaultPlan.Met> fault) {
    return fault.filter(met -> met.fault() == Fault.LOST_COMPLETION).isPresent();
  }

  private static boolean isPartial(Optional<FaultPlan.Met> fault) {
    return fault.filter(met -> met.fault() == Fault.PARTIAL_ERROR).isPresent();
  }

  private int live(Run run, Optional<FaultPlan.Met> fault) {
    try {
      int code = run.context.faulted ? -Errno.EIO : 0;
      if (code == 0 && fault.isPresent()) {
        code = meet(run, fault.get());
      }
      if (code == 0 && settings.latencyNs() > 0) {
        code = run.pass(settings.latencyNs());
      }
      return code == 0 && !isPartial(fault) ? run.operations() : code;
    } catch (RuntimeException e) {
      // The command segment or memory of the core's went away under the work.
      core.log(System.Logger.Level.WARNING, "a submission failed: " + e);
      return -Errno.EIO;
    }
  }

  private static int meet(Run run, FaultPlan.Met fault) {
    return switch (fault.fault()) {
      case LATENCY -> run.pass(fault.value());
      case CONTEXT_ERROR -> {
        run.context.faulted = true;
        yield -Errno.EIO;
      }
      case HANG -> run.hang();
      default -> 0;
    };
  }

  private void die(Fault fault) {
    dead = true;
    core.lost("simulated crash: " + fault.name().toLowerCase(java.util.Locale.ROOT));
  }

  private static int status(int code, Optional<FaultPlan.Met> fault) {
    if (code == 0) {
      return isPartial(fault) ? CompletionSink.PARTIAL_ERROR : CompletionSink.SUCCESS;
    }
    return code == -Errno.ETIMEDOUT ? CompletionSink.TIMEOUT : CompletionSink.ERROR;
  }

  /** For a partial error: how many operations failed. */
  private static int count(int status, int code, Work work) {
    return status == CompletionSink.PARTIAL_ERROR ? Math.max(1, work.ops) : code;
  }

  /** The place in the queue is free before the completion is told: the core may submit at once. */
  private void finish(SimContext context, Run run, int status, int detail, boolean lost) {
    long end = core.clock().nanoTime();
    long busy = Math.max(0, end - run.startNs);
    long tag = run.work.tag;
    account(context, run, status, busy);
    run.work.release();
    if (lost) {
      context.lose(tag);
    }
    context.head.set(context.head.get() + 1);
    if (!lost) {
      core.completions().complete(tag, status, run.startNs, end, busy, detail);
    }
    context.told.set(context.head.get());
  }

  private void account(SimContext context, Run run, int status, long busy) {
    busyNs.add(busy);
    bytesMoved.add(run.bytesRead + run.bytesWritten);
    add(context, run, busy, status == CompletionSink.SUCCESS);
  }

  /** Only the unit that holds the context writes its counters. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private static void add(SimContext context, Run run, long busy, boolean succeeded) {
    context.bytesRead += run.bytesRead;
    context.bytesWritten += run.bytesWritten;
    context.kernels += run.kernels;
    context.executionNs += busy;
    if (succeeded) {
      context.succeeded++;
    } else {
      context.failed++;
    }
  }
}
