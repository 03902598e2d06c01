package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.data.NumberBits;
import io.isle.apps.jobs.data.Png;
import io.isle.apps.jobs.data.PngReader;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the inputs of a step that it needs as a whole into the JVM's memory. */
final class WholeInputs {
  private static final int PIECE = 8 << 20;

  /** More numbers than any job file has. */
  private static final long MAX_VALUES = 1 << 16;

  /** Most bytes of an input; more does not fit into the device anyway. */
  private final long limit;

  private final Extents extents;
  private final JobArrays arrays;
  private final Arena arena;

  /**
   * @param arrays for what is needed for a moment
   * @param arena takes the inputs
   */
  WholeInputs(Extents extents, long limit, JobArrays arrays, Arena arena) {
    this.extents = extents;
    this.limit = limit;
    this.arrays = arrays;
    this.arena = arena;
  }

  /** In the order to be read: what says its shape comes before raw files and numbers. */
  static List<Buffers.Input> inOrder(List<Buffers.Input> inputs) {
    return inputs.stream().sorted(Comparator.comparing(WholeInputs::isRaw)).toList();
  }

  private static boolean isRaw(Buffers.Input input) {
    return switch (input.source()) {
      case Buffers.Source.OfFile file -> file.format() == Buffers.Format.RAW;
      case Buffers.Source.Values _ -> true;
      case Buffers.Source.OfStep _ -> false;
    };
  }

  /** One that is a file or numbers. What a regular file holds is read when a device needs it. */
  HostInput open(Buffers.Input input) throws InterruptedException {
    return input.source() instanceof Buffers.Source.OfFile file
            && file.format() != Buffers.Format.PNG
        ? file(input, true)
        : new HostInput.InMemory(read(input));
  }

  /** Reads one that is a file or numbers. */
  HostArray read(Buffers.Input input) throws InterruptedException {
    return switch (input.source()) {
      case Buffers.Source.OfFile file ->
          file.format() == Buffers.Format.PNG
              ? image(input, file)
              : ((HostInput.InMemory) file(input, false)).array();
      case Buffers.Source.Values values -> values(input, values);
      case Buffers.Source.OfStep step ->
          throw new IllegalArgumentException(step + " is on a device");
    };
  }

  private HostArray values(Buffers.Input input, Buffers.Source.Values values) {
    List<Long> shape = said(input, values.numbers().size());
    extents.bind(input, shape);
    if (elements(shape) != values.numbers().size()) {
      throw input
          .where()
          .error(
              "has "
                  + values.numbers().size()
                  + " values, which do not fill the shape "
                  + Dims.show(shape));
    }
    ElementType type = input.type().orElseThrow();
    HostArray array = HostArray.allocate(arena, type, shape);
    for (int i = 0; i < values.numbers().size(); i++) {
      Buffers.Source.Number number = values.numbers().get(i);
      try {
        type.setWhole(array.bytes(), i, NumberBits.of(type, type.text(), number.text()));
      } catch (IllegalArgumentException e) {
        throw number.where().error(e.getMessage());
      }
    }
    return array;
  }

  /**
   * @param inPlace whether it may stay in its file; else it is in memory
   */
  private HostInput file(Buffers.Input input, boolean inPlace) throws InterruptedException {
    FileLane lane = new FileLane(input, true);
    try (lane) {
      lane.open();
      List<Long> shape = lane.shape() != null ? lane.shape() : rawShape(input, lane);
      extents.bind(input, shape);
      if (!lane.columnMajor()) {
        if (!inPlace || lane.size() < 0) {
          return new HostInput.InMemory(contents(input, lane, shape, arena));
        }
        checkFits(input, lane.type(), shape);
        return new HostInput.InFile(lane.type(), shape, lane);
      }
      try (Arena columns = arrays.open()) {
        HostArray array = contents(input, lane, shape, columns);
        return new HostInput.InMemory(
            HostArray.ofColumns(arena, array.type(), shape, array.bytes()));
      }
    } catch (IOException e) {
      throw lane.failed(e);
    }
  }

  private HostArray contents(Buffers.Input input, FileLane lane, List<Long> shape, Arena to)
      throws IOException {
    HostArray array = allocated(input, lane.type(), shape, to);
    read(lane, array.bytes(), array.elements() * array.type().bytes());
    return array;
  }

  private HostArray allocated(Buffers.Input input, ElementType type, List<Long> shape, Arena to) {
    checkFits(input, type, shape);
    return HostArray.allocate(to, type, shape);
  }

  private void checkFits(Buffers.Input input, ElementType type, List<Long> shape) {
    if (elements(shape) > limit / type.bytes()) {
      throw input
          .where()
          .failure(
              Errno.ENOMEM,
              type.text()
                  + " "
                  + Dims.show(shape)
                  + " does not fit into the device's memory ("
                  + limit
                  + " bytes); cut the step with 'stream', or use a device with more memory");
    }
  }

  /** Of a shape that may be beyond any limit. */
  private static long elements(List<Long> shape) {
    try {
      return Dims.elements(shape);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Reads what is left of a file, just so many bytes. */
  static void read(FileLane lane, MemorySegment to, long bytes) throws IOException {
    for (long at = 0; at < bytes; at += PIECE) {
      ByteBuffer buffer = to.asSlice(at, Math.min(PIECE, bytes - at)).asByteBuffer();
      int wanted = buffer.remaining();
      if (lane.fill(buffer) < wanted) {
        throw new FormatException(
            "is shorter than the " + bytes + " bytes that its shape requires");
      }
    }
    lane.checkEnd();
  }

  /** Of a raw file: what the job file says, and at most the first extent from the file's size. */
  private List<Long> rawShape(Buffers.Input input, FileLane lane) {
    List<Buffers.Extent> said = input.shape().orElse(List.of());
    if (!said.isEmpty() && extents.known(said.getFirst()).isPresent()) {
      return said(input, -1);
    }
    List<Long> shape = new ArrayList<>(List.of(-1L));
    shape.addAll(extents.inner(input));
    long row = Rows.bytes(input.where(), lane.type(), shape);
    if (!lane.isRegular()) {
      throw input
          .where()
          .failure(
              Errno.EINVAL,
              lane.path()
                  + " is a FIFO, whose size is known only at its end; this step needs the size"
                  + " before: write the shape in numbers, or cut the step with 'stream'");
    }
    shape.set(0, Rows.count(input, lane, row));
    return shape;
  }

  /** What the job file says; its first extent, when it is open, follows from {@code elements}. */
  private List<Long> said(Buffers.Input input, long elements) {
    List<Buffers.Extent> said = input.shape().orElse(List.of());
    List<Long> shape = new ArrayList<>();
    long inner = 1;
    for (Buffers.Extent extent : said) {
      Optional<Long> known = extents.known(extent);
      boolean open = known.isEmpty() && extent == said.getFirst() && elements >= 0;
      long value = open ? -1 : known.orElseThrow(() -> Extents.unknown(extent));
      inner = open ? inner : Math.min(MAX_VALUES, inner * Math.clamp(value, 1, MAX_VALUES));
      shape.add(value);
    }
    if (!shape.isEmpty() && shape.getFirst() < 0) {
      shape.set(0, elements / inner);
    }
    return shape;
  }

  private HostArray image(Buffers.Input input, Buffers.Source.OfFile file)
      throws InterruptedException {
    try (Input in = Input.of(file.path());
        PngReader png = new PngReader(in::fill)) {
      in.open();
      Png.Header header = png.header();
      if (input.type().isPresent() && input.type().get() != ElementType.U8) {
        throw new FormatException(
            "the elements of a PNG image are u8, not " + input.type().get().text());
      }
      extents.bind(input, header.shape());
      HostArray array = allocated(input, ElementType.U8, header.shape(), arena);
      png.read(array.bytes());
      return array;
    } catch (IOException e) {
      throw JobException.failed(Errno.EIO, "input " + file.path() + ": " + Failures.reason(e), e);
    }
  }
}
