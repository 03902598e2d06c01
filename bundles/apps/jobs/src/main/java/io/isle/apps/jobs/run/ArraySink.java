package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.data.Npy;
import io.isle.apps.jobs.data.Png;
import io.isle.apps.jobs.data.PngWriter;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An output with a name: its elements, as they come, into a file, and compared with what is
 * expected. Used by one thread.
 */
final class ArraySink extends Sink {
  /** Room for the header of a {@code .npy} file whose first extent is not known yet. */
  private static final int NPY_HEADER = 256;

  /** What a buffer view may span. */
  private static final long VIEW = 1L << 30;

  private final Buffers.Output spec;
  private final ElementType type;

  /** The first extent is -1 while it is not known. */
  private final List<Long> shape;

  private final long row;
  private final OutputFile file;
  private Optional<Expected> expected = Optional.empty();
  private boolean begun;
  private long bytes;

  /**
   * @param shape of the whole; its first extent -1 when only the end will tell
   */
  ArraySink(String step, Buffers.Output spec, ElementType type, List<Long> shape, String jobId)
      throws InterruptedException {
    super(step, create(spec, type, shape, jobId));
    this.spec = spec;
    this.type = type;
    this.shape = List.copyOf(shape);
    this.row = shape.isEmpty() ? 1 : Dims.elements(shape.subList(1, shape.size())) * type.bytes();
    this.file = file().orElse(null);
    boolean open = !shape.isEmpty() && shape.getFirst() < 0;
    if (open && spec.format() == Buffers.Format.NPY && file != null && !file.canSeek()) {
      file.close();
      throw spec.where()
          .failure(
              Errno.EINVAL,
              file.path()
                  + " is not a regular file, and the number of elements is known only at the end;"
                  + " use format: raw");
    }
  }

  private static OutputFile create(
      Buffers.Output spec, ElementType type, List<Long> shape, String jobId)
      throws InterruptedException {
    if (spec.format() == Buffers.Format.PNG && spec.file().isPresent()) {
      String refusal = Png.refusal(type, shape);
      if (refusal != null) {
        throw spec.where().failure(Errno.EINVAL, refusal);
      }
    }
    return OutputFile.of(spec, jobId);
  }

  @Override
  void accept(MemorySegment results) throws InterruptedException {
    begin();
    if (expected.isPresent()) {
      expected.get().compare(results);
    }
    if (file != null && spec.format() == Buffers.Format.PNG) {
      image(results);
    } else if (file != null) {
      for (long at = 0; at < results.byteSize(); at += VIEW) {
        file.write(results.asSlice(at, Math.min(VIEW, results.byteSize() - at)).asByteBuffer());
      }
    }
    bytes += results.byteSize();
  }

  private void begin() throws InterruptedException {
    if (!begun && file != null && spec.format() == Buffers.Format.NPY) {
      file.write(ByteBuffer.wrap(header(shape)));
    }
    begun = true;
  }

  private byte[] header(List<Long> of) {
    boolean open = !shape.isEmpty() && shape.getFirst() < 0;
    List<Long> written = new ArrayList<>(of);
    if (open && written.getFirst() < 0) {
      written.set(0, 0L);
    }
    return Npy.header(type, written, open ? NPY_HEADER : 0);
  }

  private void image(MemorySegment pixels) throws InterruptedException {
    try (OutputStream out = file.stream()) {
      PngWriter.write(shape, pixels, out);
    } catch (InterruptedIOException e) {
      Thread.interrupted();
      throw FileWork.interrupted("writing", e);
    } catch (IOException e) {
      throw spec.where().failure(Errno.EIO, file.path() + ": " + e.getMessage());
    }
  }

  @Override
  void finish() throws InterruptedException {
    begin();
    if (file != null
        && spec.format() == Buffers.Format.NPY
        && !shape.isEmpty()
        && shape.getFirst() < 0) {
      List<Long> known = new ArrayList<>(shape);
      known.set(0, row == 0 ? 0 : bytes / row);
      file.rewrite(ByteBuffer.wrap(header(known)));
    }
    if (expected.isPresent()) {
      expected.get().end();
    }
  }

  /** From now on it is compared with that, and closes it. */
  void expect(Expected what) {
    expected = Optional.of(what);
  }

  /** Takes the whole at once. */
  void whole(HostArray array) throws InterruptedException {
    accept(array.bytes().asSlice(0, array.elements() * type.bytes()));
    finish();
  }

  /** Whether {@link #again} may be called more than once. */
  boolean canRepeat() {
    return file != null
        && file.canSeek()
        && spec.format() != Buffers.Format.PNG
        && expected.isEmpty();
  }

  /** Takes the whole at once, instead of what came before. */
  void again(MemorySegment results) throws InterruptedException {
    file.clear();
    begun = false;
    bytes = 0;
    accept(results);
    finish();
  }

  @Override
  long written() {
    return file == null ? 0 : bytes;
  }

  @Override
  public void close() {
    super.close();
    expected.ifPresent(Expected::close);
  }
}
