package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/** What an output as a whole must be, from its first element to its last. Used by one thread. */
final class Expected implements AutoCloseable {
  private static final int PIECE = 1 << 16;

  private final ElementCheck check;
  private final ElementType type;
  private final Source source;

  /** Gives the expected elements in order. */
  private interface Source extends AutoCloseable {
    /** The next ones; fewer only at the end. */
    long next(MemorySegment to, long elements) throws IOException;

    @Override
    default void close() {}
  }

  private Expected(ElementCheck check, ElementType type, Source source) {
    this.check = check;
    this.type = type;
    this.source = source;
  }

  /**
   * That of a file, read while results come.
   *
   * @param arena takes it when it must be read as a whole
   */
  static Expected file(ElementCheck check, Buffers.Expect expect, JobArrays arrays, Arena arena)
      throws InterruptedException {
    Path path = expect.file().orElseThrow();
    Buffers.Format format = Buffers.Format.of(path);
    Buffers.Input as =
        new Buffers.Input(
            "",
            new Buffers.Source.OfFile(path, format),
            format == Buffers.Format.RAW ? Optional.of(check.type()) : Optional.empty(),
            Optional.empty(),
            expect.where());
    if (format == Buffers.Format.PNG) {
      return array(check, new WholeInputs(Extents.none(), Long.MAX_VALUE, arrays, arena).read(as));
    }
    FileLane lane = new FileLane(as);
    boolean fits = false;
    try {
      lane.openNow();
      fits = lane.shape() == null || check.fits(lane.shape());
      if (!fits) {
        throw check.unfit(lane.shape());
      }
      return new Expected(check, lane.type(), new OfFile(lane));
    } finally {
      if (!fits) {
        PieceInput.closeOrLog(lane);
      }
    }
  }

  /** That of an array, which has as many elements as the output. */
  static Expected array(ElementCheck check, HostArray array) {
    if (!check.hasElements(array.elements())) {
      throw check.unfit(array.shape());
    }
    return new Expected(check, array.type(), new OfArray(array));
  }

  /** Compares the next elements. */
  void compare(MemorySegment found) throws InterruptedException {
    long size = check.type().bytes();
    long elements = found.byteSize() / size;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wanted = arena.allocate((long) PIECE * type.bytes(), Long.BYTES);
      for (long at = 0; at < elements; at += PIECE) {
        long count = Math.min(PIECE, elements - at);
        long there = next(wanted, count);
        check.next(found.asSlice(at * size, count * size), type, wanted, there);
        if (there < count) {
          throw check.tooLong();
        }
      }
    }
  }

  private long next(MemorySegment to, long count) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("cancelled");
    }
    try {
      return source.next(to, count);
    } catch (IOException e) {
      throw check.failure(Errno.EIO, Failures.reason(e));
    }
  }

  /** Nothing more may be expected. */
  void end() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      if (next(arena.allocate(Long.BYTES, Long.BYTES), 1) > 0) {
        throw check.tooShort();
      }
    }
  }

  @Override
  public void close() {
    source.close();
  }

  private record OfFile(FileLane lane) implements Source {
    @Override
    public long next(MemorySegment to, long elements) throws IOException {
      int size = lane.type().bytes();
      return lane.fill(to.asSlice(0, elements * size).asByteBuffer()) / size;
    }

    @Override
    public void close() {
      PieceInput.closeOrLog(lane);
    }
  }

  private static final class OfArray implements Source {
    private final HostArray array;
    private long next;

    OfArray(HostArray array) {
      this.array = array;
    }

    @Override
    public long next(MemorySegment to, long elements) {
      long count = Math.min(elements, array.elements() - next);
      int size = array.type().bytes();
      MemorySegment.copy(array.bytes(), next * size, to, 0, count * size);
      next += count;
      return count;
    }
  }
}
