package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.Npy;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The elements of a file, raw or {@code .npy}, from the first to the last. Of a {@code .npy} file,
 * {@link #open} reads the header. By one thread at a time.
 */
final class FileLane extends Input {
  private final Buffers.Input spec;
  private final boolean npy;
  private final boolean anyOrder;
  private Npy.Header header;

  /** Bytes of elements that are still to come; -1 when only the end will tell. */
  private long left = -1;

  /** Elements in C order: another one is refused. */
  FileLane(Buffers.Input spec) {
    this(spec, false);
  }

  /**
   * @param anyOrder the caller looks at {@link #columnMajor}
   */
  FileLane(Buffers.Input spec, boolean anyOrder) {
    super(file(spec).path());
    this.spec = spec;
    this.npy = file(spec).format() == Buffers.Format.NPY;
    this.anyOrder = anyOrder;
  }

  private static Buffers.Source.OfFile file(Buffers.Input spec) {
    return (Buffers.Source.OfFile) spec.source();
  }

  @Override
  public void open() throws IOException, InterruptedException {
    super.open();
    if (npy && header == null) {
      header = Npy.read(super::fill);
      if (spec.type().isPresent() && spec.type().get() != header.type()) {
        throw new FormatException(
            "descr: the elements of the file are "
                + header.type().text()
                + "; the job file gives "
                + spec.type().get().text());
      }
      if (header.columnMajor() && !anyOrder) {
        throw new FormatException(
            "fortran_order: True; a file that is read in pieces or compared with must be in C order"
                + " (see numpy.ascontiguousarray)");
      }
      left = header.dataBytes();
      long size = size();
      if (size >= 0 && size != header.bytes() + left) {
        throw new FormatException(
            "shape: "
                + Dims.show(header.shape())
                + " needs "
                + left
                + " bytes; the bytes after the header are "
                + (size - header.bytes()));
      }
    }
  }

  /** Goes back to the first element, opened again if it was closed. */
  @Override
  void restart() throws IOException, InterruptedException {
    super.restart();
    if (header != null) {
      skip(header.bytes());
      left = header.dataBytes();
    }
  }

  /** The same file from its first element on. */
  FileLane again() {
    return new FileLane(spec, anyOrder);
  }

  /** As {@link #open}, with the file's name in a failure. */
  void openNow() throws InterruptedException {
    try {
      open();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Whether the file itself says what its elements are, once it is open. */
  boolean hasHeader() {
    return npy;
  }

  JobException failed(IOException e) {
    return JobException.failed(Errno.EIO, name() + ": " + Failures.reason(e), e);
  }

  /** The shape that the file itself says; null for a raw one. */
  List<Long> shape() {
    return header == null ? null : header.shape();
  }

  /** Whether the first index runs fastest, not the last. */
  boolean columnMajor() {
    return header != null && header.columnMajor();
  }

  /** The type that the file itself says, else the job file. */
  ElementType type() {
    return header != null ? header.type() : spec.type().orElse(ElementType.U8);
  }

  /** Bytes of elements; -1 when only the end will tell. */
  long bytes() {
    return header != null ? header.dataBytes() : size();
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    if (left < 0) {
      return super.fill(buffer);
    }
    int limit = buffer.limit();
    long wanted = Math.min(buffer.remaining(), left);
    buffer.limit(buffer.position() + (int) wanted);
    int filled = super.fill(buffer);
    buffer.limit(limit);
    left -= filled;
    if (filled < wanted) {
      throw new FormatException("is " + left + " bytes shorter than its shape requires");
    }
    if (left == 0) {
      checkEnd();
    }
    return filled;
  }

  @Override
  public Optional<FileWindows> windows() {
    return windows(header == null ? 0 : header.bytes());
  }

  /** Nothing may follow; and a file that changed meanwhile is found out. */
  void checkEnd() throws IOException {
    if (super.fill(ByteBuffer.allocate(1)) > 0) {
      throw new FormatException("has more bytes than its shape requires");
    }
  }
}
