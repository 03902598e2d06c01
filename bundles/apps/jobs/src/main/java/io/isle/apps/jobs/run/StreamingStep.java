package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A step that sends its input through a program piece by piece. A reader thread fills pieces and
 * submits them, the calling thread takes results in order; slots of device memory go round between
 * the two, so that reading, computing and writing overlap and memory stays bounded.
 */
final class StreamingStep {
  private static final long LOST_CHECK_MS = 100;

  private final Env env;
  private final Context context;
  private final Program program;
  private final Arguments arguments;
  private final Shape shape;
  private final JobSpec.Step step;
  private final Input input;
  private final BlockingQueue<Slot> free = new ArrayBlockingQueue<>(4);
  private final BlockingQueue<Slot> submitted = new ArrayBlockingQueue<>(5);
  private volatile Throwable readerFailure;

  StreamingStep(
      Env env,
      Context context,
      Program program,
      Arguments arguments,
      Shape shape,
      JobSpec.Step step) {
    this.env = env;
    this.context = context;
    this.program = program;
    this.arguments = arguments;
    this.shape = shape;
    this.step = step;
    this.input = Input.of(step.in().orElseThrow());
  }

  /** Runs to the end of the input; results go to {@code sink}. */
  void run(ResultSink sink) throws InterruptedException {
    List<Slot> slots = new ArrayList<>();
    try (input) {
      ChunkPlan plan = allocate(slots);
      free.addAll(slots);
      Thread reader =
          Thread.ofPlatform().name(env.threadName() + "-reader").unstarted(() -> read(plan));
      reader.start();
      try {
        consume(sink);
      } finally {
        end(reader);
      }
    } catch (IOException e) {
      throw JobException.failed(
          Errno.EIO, "input " + step.in().orElseThrow() + ": " + Failures.reason(e), e);
    } catch (IllegalStateException e) {
      // A mapping that is closed under our hands: the core took the memory of a lost device away.
      throw Failures.device(env.device(), step.name(), -Errno.ENODEV);
    }
    // Memory is given back by the context when something failed: it is then perhaps still in use.
    slots.forEach(Slot::close);
  }

  private ChunkPlan allocate(List<Slot> slots) {
    long budget = env.freeMemory();
    while (true) {
      ChunkPlan plan = ChunkPlan.of(shape, input.size(), budget);
      if (plan.slots() == 0) {
        throw JobException.failed(
            Errno.ENOMEM,
            env.device()
                + ": step "
                + step.name()
                + ": a block of "
                + shape.unit()
                + " bytes does not fit into the device's free memory ("
                + env.freeMemory()
                + " bytes); use smaller blocks or a device with more memory",
            null);
      }
      try {
        for (int i = 0; i < plan.slots(); i++) {
          slots.add(Slot.allocate(context, plan.bytes(), shape.resultBytes(plan.bytes())));
        }
        return plan;
      } catch (AccelException e) {
        if (e.code() != Errno.ENOMEM) {
          throw e;
        }
        // Others take memory at the same time: try again with half.
        slots.forEach(Slot::close);
        slots.clear();
        budget /= 2;
      }
    }
  }

  private void read(ChunkPlan plan) {
    try {
      input.open();
      while (true) {
        Slot slot = free.take();
        ByteBuffer bytes = slot.fillable(plan.bytes());
        slot.length = input.fill(bytes);
        if (slot.length > 0) {
          submit(slot);
          submitted.put(slot);
        }
        if (slot.length < plan.bytes() || slot.point < 0) {
          return;
        }
      }
    } catch (Throwable e) {
      readerFailure = e;
    } finally {
      // Never blocks: there is room for all slots and this one.
      submitted.add(Slot.end());
    }
  }

  private void submit(Slot slot) {
    slot.flush();
    CommandWriter writer = context.writer();
    if (writer != null) {
      int in = writer.use(slot.in, 0, slot.length, Buffer.READ);
      int out =
          slot.out == null
              ? -1
              : writer.use(slot.out, 0, shape.resultBytes(slot.length), Buffer.WRITE);
      writer.dispatch(
          program, 0, (int) Math.min(shape.units(slot.length), Integer.MAX_VALUE), 1, 1);
      arguments.write(writer, in, out);
    }
    slot.point = context.submit(writer);
  }

  private void consume(ResultSink sink) throws InterruptedException {
    long done = 0;
    while (true) {
      Slot slot = next();
      if (slot.length < 0) {
        break;
      }
      await(slot);
      if (slot.out != null) {
        sink.accept(slot.results(shape.resultBytes(slot.length)));
        sink.flush();
      }
      env.measures().bytes.add(slot.length);
      env.measures().blocks.add(shape.blocks(slot.length));
      done += slot.length;
      env.observer().progress(done, input.size());
      free.put(slot);
    }
    Throwable failure = readerFailure;
    if (failure instanceof IOException e) {
      throw JobException.failed(
          Errno.EIO, "input " + step.in().orElseThrow() + ": " + Failures.reason(e), e);
    }
    if (failure instanceof IllegalStateException) {
      throw Failures.device(env.device(), step.name(), -Errno.ENODEV);
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure != null) {
      throw JobException.failed(Errno.EIO, "step " + step.name() + ": " + failure, failure);
    }
  }

  /** The next to await. A slow input does not hide that the device was lost meanwhile. */
  private Slot next() throws InterruptedException {
    while (true) {
      Slot slot = submitted.poll(LOST_CHECK_MS, TimeUnit.MILLISECONDS);
      if (slot != null) {
        return slot;
      }
      if (!context.info().state().equals("open")) {
        throw Failures.device(env.device(), step.name(), -Errno.ENODEV);
      }
    }
  }

  private void await(Slot slot) throws InterruptedException {
    int status = slot.point < 0 ? (int) slot.point : context.await(slot.point, -1);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    if (status != 0) {
      throw Failures.device(env.device(), step.name(), status);
    }
  }

  /** Leaves no reader behind, wherever it waits. */
  private void end(Thread reader) {
    boolean interrupted = Thread.interrupted();
    if (reader.isAlive()) {
      reader.interrupt();
      input.release();
    }
    while (true) {
      try {
        reader.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
