package io.isle.apps.jobs.run;

import java.io.IOException;
import java.nio.ByteBuffer;

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

  /** For messages. */
  String name();

  @Override
  void close() throws IOException;
}
