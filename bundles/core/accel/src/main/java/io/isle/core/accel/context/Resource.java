package io.isle.core.accel.context;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;

/**
 * Something of a context that submissions use: it cannot be closed while one does. Its fields are
 * read and written by whoever owns the context's writer.
 */
public abstract class Resource {
  public final ContextRecord record;
  private final WriterLock writer;
  private final long id;
  private long lastPoint;
  private volatile boolean closed;

  Resource(ContextRecord record, WriterLock writer, long id) {
    this.record = record;
    this.writer = writer;
    this.id = id;
  }

  public final long id() {
    return id;
  }

  public final boolean open() {
    return !closed;
  }

  /** Owner of the writer: the submission at {@code point} uses it. */
  public final void usedBy(long point) {
    lastPoint = point;
  }

  /**
   * Closes it unless it is closed already.
   *
   * @return whether this call closed it
   * @throws AccelException EBUSY while a submission uses it
   */
  final boolean end(String what) {
    boolean locked = writer.lock();
    try {
      if (closed) {
        return false;
      }
      if (!record.over() && lastPoint > record.queue().timeline.ended()) {
        throw new AccelException(
            Errno.EBUSY,
            what + " is used by submission " + lastPoint + "; await it before closing");
      }
      closed = true;
      return true;
    } finally {
      if (locked) {
        writer.unlock();
      }
    }
  }

  /** The context is over: nothing uses it any more. */
  final void endWithContext() {
    closed = true;
  }
}
