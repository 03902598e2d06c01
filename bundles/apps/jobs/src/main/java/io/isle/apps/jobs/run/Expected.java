package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.data.References;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an output must be, element by element; the first that differs ends the job. One thread. */
final class Expected implements AutoCloseable {
  private static final int PIECE = 1 << 16;

  private final String step;
  private final Buffers.Output output;
  private final Buffers.Expect expect;
  private final ElementType type;
  private final List<Long> shape;
  private final References.Comparison comparison;
  private final Source source;
  private final ElementType expectedType;
  private long done;

  /** Gives the expected elements in order. */
  private interface Source extends AutoCloseable {
    /** The next ones; fewer only at the end. */
    long next(MemorySegment to, long elements) throws IOException, InterruptedException;

    @Override
    default void close() {}
  }

  private Expected(
      String step,
      Buffers.Output output,
      ElementType type,
      List<Long> shape,
      ElementType expectedType,
      Source source) {
    this.step = step;
    this.output = output;
    this.expect = output.expect().orElseThrow();
    this.type = type;
    this.shape = shape;
    this.expectedType = expectedType;
    this.source = source;
    comparison = new References.Comparison(expect.absolute(), expect.relative());
  }

  /** That of a file, read while results come. */
  static Expected file(String step, Buffers.Output output, ElementType type, List<Long> shape)
      throws InterruptedException {
    Buffers.Expect expect = output.expect().orElseThrow();
    java.nio.file.Path path = expect.file().orElseThrow();
    String name = path.toString();
    Buffers.Format format =
        name.endsWith(".npy")
            ? Buffers.Format.NPY
            : name.endsWith(".png") ? Buffers.Format.PNG : Buffers.Format.RAW;
    Buffers.Input as =
        new Buffers.Input(
            output.name(),
            new Buffers.Source.OfFile(path, format),
            format == Buffers.Format.RAW ? Optional.of(type) : Optional.empty(),
            Optional.empty(),
            expect.where());
    if (format == Buffers.Format.PNG) {
      HostArray image = new WholeInputs(Extents.none(), Long.MAX_VALUE).read(as);
      return array(step, output, type, shape, image);
    }
    FileLane lane = new FileLane(as);
    lane.openNow();
    if (lane.shape() != null && !fits(lane.shape(), shape)) {
      throw expect
          .where()
          .failure(
              Errno.EINVAL,
              "has the shape " + Dims.show(lane.shape()) + ", the output " + Dims.show(shape));
    }
    return new Expected(step, output, type, shape, lane.type(), new OfFile(lane));
  }

  private static boolean fits(List<Long> expected, List<Long> found) {
    if (expected.size() != found.size()) {
      return false;
    }
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i) >= 0 && !found.get(i).equals(expected.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** That of a built-in reference. */
  static Expected reference(
      String step,
      Buffers.Output output,
      ElementType type,
      List<Long> shape,
      List<HostArray> inputs)
      throws InterruptedException {
    Buffers.Expect expect = output.expect().orElseThrow();
    try {
      return array(
          step, output, type, shape, References.compute(expect.reference().orElseThrow(), inputs));
    } catch (FormatException e) {
      throw expect.where().failure(Errno.EINVAL, e.getMessage());
    }
  }

  private static Expected array(
      String step, Buffers.Output output, ElementType type, List<Long> shape, HostArray array) {
    if (array.elements() != Dims.elements(shape)) {
      throw output
          .expect()
          .orElseThrow()
          .where()
          .failure(
              Errno.EINVAL,
              "has the shape " + Dims.show(array.shape()) + ", the output " + Dims.show(shape));
    }
    return new Expected(step, output, type, shape, array.type(), new OfArray(array));
  }

  /** Compares the next elements. */
  void compare(MemorySegment found) throws InterruptedException {
    long elements = found.byteSize() / type.bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wanted = arena.allocate((long) PIECE * expectedType.bytes(), Long.BYTES);
      for (long at = 0; at < elements; at += PIECE) {
        long count = Math.min(PIECE, elements - at);
        long there = next(wanted, count);
        MemorySegment here = found.asSlice(at * type.bytes(), count * type.bytes());
        long differs = comparison.first(type, here, expectedType, wanted, there);
        if (differs >= 0) {
          throw different(differs, here, wanted);
        }
        if (there < count) {
          throw mismatch("has more elements than expected: " + (done + there));
        }
        done += count;
      }
    }
  }

  private long next(MemorySegment to, long count) throws InterruptedException {
    try {
      return source.next(to, count);
    } catch (IOException e) {
      throw expect.where().failure(Errno.EIO, Failures.reason(e));
    }
  }

  /** Nothing more may be expected. */
  void end() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      if (next(arena.allocate(Long.BYTES, Long.BYTES), 1) > 0) {
        throw mismatch("has " + done + " elements; more are expected");
      }
    }
  }

  private JobException different(long index, MemorySegment found, MemorySegment wanted) {
    String allowed =
        expect.absolute() == 0 && expect.relative() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                " (difference %.6g; allowed: %s + %s * |expected|)",
                Math.abs(type.real(found, index) - expectedType.real(wanted, index)),
                Text.number(expect.absolute()),
                Text.number(expect.relative()));
    return mismatch(
        position(done + index)
            + " is "
            + type.show(found, index)
            + ", expected "
            + expectedType.show(wanted, index)
            + allowed);
  }

  private String position(long index) {
    List<Long> known = new ArrayList<>(shape);
    if (!known.isEmpty() && known.getFirst() < 0) {
      known.set(0, Dims.MAX_BYTES);
    }
    return output.name() + Dims.position(known, index);
  }

  private JobException mismatch(String what) {
    return expect
        .where()
        .failure(Errno.EIO, "step " + step + ": the output differs: " + what + "; not written");
  }

  @Override
  public void close() {
    source.close();
  }

  private record OfFile(FileLane lane) implements Source {
    @Override
    public long next(MemorySegment to, long elements) throws IOException {
      long bytes = elements * lane.type().bytes();
      ByteBuffer buffer = to.asSlice(0, bytes).asByteBuffer();
      return lane.fill(buffer) / lane.type().bytes();
    }

    @Override
    public void close() {
      try {
        lane.close();
      } catch (IOException e) {
        org.slf4j.LoggerFactory.getLogger(Expected.class).warn("closing {}", lane.name(), e);
      }
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
