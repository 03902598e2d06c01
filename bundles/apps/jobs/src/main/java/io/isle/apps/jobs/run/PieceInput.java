package io.isle.apps.jobs.run;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The elements of an input that is read piece by piece, by one thread at a time. */
interface PieceInput extends AutoCloseable {
  /** Opens it, once; waits for the writer of a FIFO. */
  void open() throws IOException, InterruptedException;

  /**
   * Reads until {@code buffer} is full or the input ends.
   *
   * @return bytes read; fewer than fit only at the end
   */
  int fill(ByteBuffer buffer) throws IOException;

  /**
   * All of it as it lies in the page cache, instead of {@link #fill}: for an open regular file of a
   * size that is known. It is read when it is used; what it is then used for fails with an
   * InternalError when the file has become shorter.
   *
   * @param arena in which it stays
   */
  default Optional<MemorySegment> mapped(Arena arena) throws IOException {
    return Optional.empty();
  }

  /**
   * Whether the file is still what it was, after {@link #mapped} and all uses of that.
   *
   * @throws io.isle.api.jobs.JobException EIO
   */
  default void checkUnchanged() throws IOException {}

  /** For messages. */
  String name();

  @Override
  void close() throws IOException;

  /** Of one that was read, or is not needed any more: a failure changes nothing. */
  static void closeOrLog(PieceInput input) {
    try {
      input.close();
    } catch (IOException e) {
      LoggerFactory.getLogger(PieceInput.class).warn("closing {}", input.name(), e);
    }
  }
}
