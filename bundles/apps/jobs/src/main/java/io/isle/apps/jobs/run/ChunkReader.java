package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Reads the inputs of a step ahead, in step with each other, in a thread of its own, so that
 * reading, computing and writing overlap. The chunks go round between that thread and its user, so
 * memory stays bounded.
 */
final class ChunkReader implements AutoCloseable {
  private final String step;
  private final Layout layout;

  /** Those of the first lanes, in order; the others have none. */
  private final List<? extends PieceInput> inputs;

  private final long units;

  /** Of the pieces by turns; at most {@link #units}. */
  private final long[] sizes;

  private final int chunks;
  private final Arena arena;
  private final BlockingQueue<Chunk> free;
  private final BlockingQueue<Chunk> filled;
  private final Thread thread;

  /** By lane, what lies in a file; null for one that is read, or has no input. */
  private final FileWindows[] files;

  /** By lane, bytes of the file that were passed on. */
  private final long[] passed;

  private final List<Chunk> made = new ArrayList<>();
  private long numbered;
  private int turn;
  private volatile Throwable failure;
  private volatile String reading = "";

  /**
   * @param arena of the chunks, closed with this
   * @param chunks that are on their way at a time, read ones included; each is made when it is
   *     needed, while earlier ones are computed
   * @param units of the largest
   * @param sizes units of the pieces by turns; none for the largest
   */
  ChunkReader(
      String step,
      Layout layout,
      List<? extends PieceInput> inputs,
      Arena arena,
      String threadName,
      int chunks,
      long units,
      long... sizes) {
    this.step = step;
    this.layout = layout;
    this.inputs = inputs;
    this.arena = arena;
    this.units = units;
    this.sizes = sizes.length == 0 ? new long[] {units} : sizes.clone();
    free = new ArrayBlockingQueue<>(chunks);
    // Room for the mark of the end, so that it is never waited for.
    filled = new ArrayBlockingQueue<>(chunks + 1);
    this.chunks = chunks;
    files = new FileWindows[layout.lanes().size()];
    passed = new long[files.length];
    thread = Thread.ofPlatform().name(threadName + "-reader").unstarted(this::read);
  }

  void start() {
    thread.start();
  }

  private void read() {
    try {
      open();
      while (true) {
        Chunk chunk = take();
        boolean last = fill(chunk);
        if (chunk.units > 0) {
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

  private void open() throws IOException, InterruptedException {
    for (int lane = 0; lane < inputs.size(); lane++) {
      PieceInput input = inputs.get(lane);
      reading = input.name();
      input.open();
      files[lane] = input.windows().orElse(null);
    }
  }

  /** One that was given back, else a new one while there may be more. */
  private Chunk take() throws InterruptedException {
    Chunk idle = free.poll();
    if (idle == null && made.size() < chunks) {
      boolean[] inFile = new boolean[files.length];
      for (int lane = 0; lane < inFile.length; lane++) {
        inFile[lane] = files[lane] != null;
      }
      made.add(Chunk.allocate(arena, layout.lanes(), units, inFile));
      return made.getLast();
    }
    return idle == null ? free.take() : idle;
  }

  /** Returns whether it was the last one. */
  private boolean fill(Chunk chunk) throws IOException, InterruptedException {
    chunk.units = -1;
    chunk.number = ++numbered;
    long wanted = Math.min(units, sizes[turn]);
    turn = (turn + 1) % sizes.length;
    for (int lane = 0; lane < inputs.size(); lane++) {
      long unit = layout.lanes().get(lane).in();
      PieceInput input = inputs.get(lane);
      reading = input.name();
      long length =
          files[lane] == null
              ? read(chunk, lane, input, wanted * unit)
              : pass(chunk, lane, wanted * unit);
      if (length % unit != 0 && !layout.partial()) {
        throw unfit(
            input, "ends within an element or row: " + length % unit + " of " + unit + " bytes");
      }
      long here = Math.ceilDiv(length, unit);
      if (chunk.units >= 0 && here != chunk.units) {
        throw unfit(input, "differs in length from " + inputs.getFirst().name());
      }
      chunk.units = here;
    }
    return chunk.units < wanted
        || (layout.partial() && chunk.length() < wanted * layout.inputBytes());
  }

  private static long read(Chunk chunk, int lane, PieceInput input, long bytes) throws IOException {
    long length = input.fill(chunk.fillable(lane).limit((int) bytes));
    chunk.filled(lane, length);
    return length;
  }

  /** Whoever copies the piece finds it in the page cache: the disk is waited for here. */
  private long pass(Chunk chunk, int lane, long bytes) throws InterruptedException {
    long length = Math.min(files[lane].bytes() - passed[lane], bytes);
    chunk.lies(lane, files[lane], passed[lane], length);
    passed[lane] += length;
    return length;
  }

  private JobException unfit(PieceInput input, String what) {
    return JobException.failed(
        Errno.EINVAL, "step " + step + ": " + input.name() + " " + what, null);
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
          throw JobException.failed(Errno.EIO, reading + ": " + Failures.reason(e), e);
      case RuntimeException e -> throw e;
      case OutOfMemoryError e -> throw e;
      case InternalError e -> throw e;
      case Throwable e -> throw JobException.failed(Errno.EIO, "step " + step + ": " + e, e);
    }
  }

  /** Leaves no thread behind, wherever it waits. */
  @Override
  public void close() {
    thread.interrupt();
    Threads.join(thread);
    made.forEach(Chunk::drop);
    arena.close();
  }
}
