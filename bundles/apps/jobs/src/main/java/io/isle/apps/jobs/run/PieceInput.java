package io.isle.apps.jobs.run;

import java.io.IOException;
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
   * size that is known. Valid until this is closed.
   */
  default Optional<FileWindows> windows() {
    return Optional.empty();
  }

  /**
   * Whether the file is still what it was, after {@link #windows} and all uses of those.
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
      LoggerFactory.getLogger(PieceInput.class).warn("closing {} failed", input.name(), e);
    }
  }
}
