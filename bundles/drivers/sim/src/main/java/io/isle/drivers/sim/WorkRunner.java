package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverServices;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.PreemptReason;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Takes one submission from its context's queue to its completion. Called by any unit. */
final class WorkRunner {
  private final DriverServices core;
  private final SimSettings settings;
  private final FaultPlan faults;
  private final SimModel model;
  private final SimPages pages;
  private final LongAdder busyNs = new LongAdder();
  private final LongAdder bytesMoved = new LongAdder();

  WorkRunner(
      DriverServices core, SimSettings settings, FaultPlan faults, SimModel model, SimPages pages) {
    this.core = core;
    this.settings = settings;
    this.faults = faults;
    this.model = model;
    this.pages = pages;
  }

  /** Runs the oldest submission of a context; present when it crashed the device, saying how. */
  Optional<String> runOne(SimContext context) {
    long position = context.head.get();
    Work work = context.at(position);
    Run run = new Run(context, work, position, core.clock(), settings.preemption());
    Optional<FaultPlan.Met> fault = Optional.empty();
    int status = CompletionSink.ERROR;
    int detail;
    if (position < context.cancelBefore) {
      detail = context.cancelCode;
    } else if (position < context.preemptBefore) {
      status = CompletionSink.PREEMPTED;
      detail = -Errno.EAGAIN;
    } else if (work.cancelled) {
      detail = -Errno.ECANCELED;
    } else {
      fault = faults.next();
      if (fault.isPresent() && isFatal(fault.get().fault())) {
        return fault.map(met -> "simulated crash: " + met.fault().name().toLowerCase(Locale.ROOT));
      }
      run.onEngine(true);
      core.started(work.tag, run.startNs);
      int code = live(run, fault);
      run.onEngine(false);
      status = status(code, fault);
      detail = code == Run.LEFT ? leftDetail(context) : code;
    }
    finish(context, run, status, count(status, detail, work), isLost(fault));
    return Optional.empty();
  }

  long busyNs() {
    return busyNs.sum();
  }

  long bytesMoved() {
    return bytesMoved.sum();
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
      if (code == 0) {
        code = pages.touch(run);
      }
      if (code == 0 && settings.latencyNs() > 0) {
        code = run.pass(settings.latencyNs());
      }
      if (code == 0 && !isPartial(fault)) {
        run.copy(true);
        code = run.operations();
        // also what work has done that stops half-way
        run.copy(false);
      }
      if (code == 0) {
        code = run.pass(model.stretch(core.clock().nanoTime() - run.startNs));
      }
      return code == 0 ? run.boundary() : code;
    } catch (RuntimeException | Error e) {
      // The command segment or memory of the core's went away under the work, or the heap is full.
      core.log(System.Logger.Level.WARNING, "a submission failed: " + e);
      return -Errno.EIO;
    }
  }

  /** For a limit that has passed: that; else the work may be submitted again. */
  private static int leftDetail(SimContext context) {
    return context.leaveReason == PreemptReason.EXECUTION_TIMEOUT ? -Errno.ETIMEDOUT : 0;
  }

  private int meet(Run run, FaultPlan.Met fault) {
    return switch (fault.fault()) {
      case LATENCY -> run.pass(fault.value());
      case CONTEXT_ERROR -> {
        run.context.faulted = true;
        yield -Errno.EIO;
      }
      case HANG -> run.hang();
      case ECC_CORRECTABLE -> {
        model.countCorrectable();
        yield 0;
      }
      case ECC_UNCORRECTABLE -> pages.poison(run, fault.value());
      case THROTTLE -> {
        model.throttle(fault.value());
        yield 0;
      }
      case PCIE_REPLAY -> {
        model.countReplays(fault.value());
        yield 0;
      }
      default -> 0;
    };
  }

  private static int status(int code, Optional<FaultPlan.Met> fault) {
    if (code == 0) {
      return isPartial(fault) ? CompletionSink.PARTIAL_ERROR : CompletionSink.SUCCESS;
    }
    if (code == Run.LEFT) {
      return CompletionSink.PREEMPTED;
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
    context.pageFaults += run.pageFaults;
    context.executionNs += busy;
    if (succeeded) {
      context.succeeded++;
    } else {
      context.failed++;
    }
  }
}
