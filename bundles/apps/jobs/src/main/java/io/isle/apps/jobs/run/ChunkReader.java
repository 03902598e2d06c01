package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Reads an input ahead in a thread of its own, so that reading, computing and writing overlap. The
 * chunks go round between that thread and its user, so memory stays bounded.
 */
final class ChunkReader implements AutoCloseable {
  private final JobSpec.Step step;
  private final Input input;
  private final Arena arena = Arena.ofShared();
  private final BlockingQueue<Chunk> free;
  private final BlockingQueue<Chunk> filled;
  private final Thread thread;
  private volatile Throwable failure;

  /**
   * @param chunks that are on their way at a time, read ones included
   * @param bytes of each
   */
  ChunkReader(JobSpec.Step step, Input input, String threadName, int chunks, long bytes) {
    this.step = step;
    this.input = input;
    free = new ArrayBlockingQueue<>(chunks);
    // Room for the mark of the end, so that it is never waited for.
    filled = new ArrayBlockingQueue<>(chunks + 1);
    for (int i = 0; i < chunks; i++) {
      free.add(Chunk.allocate(arena, bytes));
    }
    thread = Thread.ofPlatform().name(threadName + "-reader").unstarted(this::read);
  }

  void start() {
    thread.start();
  }

  private void read() {
    try {
      input.open();
      while (true) {
        Chunk chunk = free.take();
        chunk.length = input.fill(chunk.fillable());
        boolean last = chunk.length < chunk.memory.byteSize();
        if (chunk.length > 0) {
          filled.put(chunk);
        }
        if (last) {
          return;
        }
      }
    } catch (Throwable e) {
      failure = e;
    } finally {
      filled.add(Chunk.end());
    }
  }

  /** The next chunk in order if one is read within {@code ms}, else null; then the end's mark. */
  Chunk next(long ms) throws InterruptedException {
    return filled.poll(ms, TimeUnit.MILLISECONDS);
  }

  /** Gives a chunk back whose results were taken. */
  void done(Chunk chunk) {
    free.add(chunk);
  }

  /**
   * To be asked after the end's mark.
   *
   * @throws JobException when the input could not be read to its end
   */
  void check() {
    switch (failure) {
      case null -> {}
      case IOException e ->
          throw JobException.failed(
              Errno.EIO, "input " + step.in().orElseThrow() + ": " + Failures.reason(e), e);
      case RuntimeException e -> throw e;
      case Throwable e -> throw JobException.failed(Errno.EIO, "step " + step.name() + ": " + e, e);
    }
  }

  /** Leaves no thread behind, wherever it waits. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    thread.interrupt();
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    arena.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
