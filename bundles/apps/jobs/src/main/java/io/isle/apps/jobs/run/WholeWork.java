package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.HostArray;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * A step whose buffers are on the device as a whole. What it makes may stay on the device for later
 * steps; when a crash takes it, the step computes it again. Used by the stream's thread.
 */
final class WholeWork {
  private final StepRun run;
  private final Computation computation;
  private final List<Part> parts;

  /** What such a step does. What its outputs hold is on the device then. */
  interface Computation {
    /** Does it from its begin on. */
    void compute() throws InterruptedException;

    /** Does it after its results were lost. */
    void again() throws InterruptedException;
  }

  /**
   * @param parts in the order of the step's buffers
   */
  WholeWork(StepRun run, Computation computation, List<Part> parts) {
    this.run = run;
    this.computation = computation;
    this.parts = List.copyOf(parts);
  }

  /** Computes; what the outputs hold is on the device then. */
  void compute() throws InterruptedException {
    computation.compute();
  }

  /** Copies a buffer to the JVM's memory, computed again when it was lost meanwhile. */
  HostArray download(Part part, Arena arena) throws InterruptedException {
    long bytes = part.resident().bytes();
    HostArray array = new HostArray(part.type(), part.shape(), arena.allocate(bytes, Long.BYTES));
    take(part, memory -> memory.download(array.bytes(), run.clock()));
    return array;
  }

  /**
   * Hands a buffer over where it lies, computed again when it was lost meanwhile.
   *
   * @param use called again with all of it when a recovery came between
   */
  void show(Part part, HeldMemory.Use use) throws InterruptedException {
    take(part, memory -> memory.show(use, run.clock()));
  }

  /** Takes what a buffer holds. */
  private interface Taking {
    /** Returns 0 or a negated code. */
    int from(HeldMemory memory) throws InterruptedException;
  }

  private void take(Part part, Taking taking) throws InterruptedException {
    StreamContext stream = run.stream();
    RetryPolicy.insist(
        run.env(),
        stream,
        run.step(),
        policy -> {
          int code = stream.settle();
          code = code == 0 ? part.resident().ensure(stream) : code;
          int before = stream.epoch();
          code = code == 0 ? taking.from(part.resident().memory()) : code;
          return code == 0 && stream.epoch() != before ? -Errno.ENODATA : code;
        });
  }

  /** Contents that this step makes again when they are lost. */
  Resident.Contents again() {
    return to -> {
      computation.again();
      releaseInputs();
      to.markFilled();
      return 0;
    };
  }

  /** Gives device memory back that only this step needs. */
  void releaseInputs() {
    for (Part part : parts) {
      for (Resident resident : part.own()) {
        if (!(part.isOutput() && resident == part.resident())) {
          resident.release();
        }
      }
    }
  }
}
