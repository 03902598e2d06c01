package io.isle.itests.inside;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;

/** A tenant that always wants more of a software device than it gets, until it is closed. */
final class Flood implements AutoCloseable {
  /** Work of 64 ms: its thread may have to wait for a processor. */
  private static final int DEPTH = 256;

  private static final int COMMAND_BYTES = 512;
  private static final long WORK_US = 250;
  private static final long LOOK_NS = 100_000_000;

  /** Of the driver's counters: processor time of the workers that ran the context's work. */
  private static final int CPU_NS = 4;

  private final Context context;
  private final Program busy;
  private final Thread thread;
  private volatile boolean stopping;
  private volatile int failure;

  Flood(Accelerators accelerators, String device, Capability holder) {
    context =
        accelerators
            .find(DeviceQuery.id(device))
            .open(holder, ContextSpec.named(holder.group()).withQueue(DEPTH, COMMAND_BYTES));
    busy = context.load(new ProgramSource.Builtin("busy"));
    thread = Thread.ofPlatform().daemon().name("itests-" + holder.group()).start(this::run);
  }

  private void run() {
    long newest = 0;
    while (!stopping && failure == 0) {
      CommandWriter writer = newest - context.timeline().ended() < DEPTH ? context.writer() : null;
      if (writer == null) {
        int status = context.await(newest - DEPTH / 2, LOOK_NS);
        failure = status == -Errno.ETIME ? 0 : Math.min(0, status);
      } else {
        writer.replayable().dispatch(busy, 0, 1, 1, 1).argU64(WORK_US);
        long point = context.submit(writer);
        failure = (int) Math.min(0, point);
        newest = Math.max(newest, point);
      }
    }
  }

  /** Processor time that its work has used so far, in nanoseconds. */
  long cpuNs() {
    if (failure != 0) {
      throw new AssertionError(context.info().name() + " ended with " + failure);
    }
    return context.counters().vendor().get(CPU_NS);
  }

  @Override
  public void close() {
    stopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    context.close();
  }
}
