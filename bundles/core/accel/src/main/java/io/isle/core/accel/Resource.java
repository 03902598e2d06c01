package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;

/**
 * Something of a context that submissions use: it cannot be closed while one does. Its fields are
 * read and written by whoever owns the context's writer.
 */
abstract class Resource {
  final ExecutionContext context;
  private final long id;
  private long lastPoint;
  private volatile boolean closed;

  Resource(ExecutionContext context, long id) {
    this.context = context;
    this.id = id;
  }

  public final long id() {
    return id;
  }

  final boolean open() {
    return !closed;
  }

  /** Owner of the writer: the submission at {@code point} uses it. */
  final void usedBy(long point) {
    lastPoint = point;
  }

  /**
   * Closes it unless it is closed already.
   *
   * @return whether this call closed it
   * @throws AccelException EBUSY while a submission uses it
   */
  final boolean end(String what) {
    boolean locked = context.lockWriter();
    try {
      if (closed) {
        return false;
      }
      if (!context.seat().over() && lastPoint > context.timeline().ended()) {
        throw new AccelException(
            Errno.EBUSY,
            what + " is used by submission " + lastPoint + "; await it before closing");
      }
      closed = true;
      return true;
    } finally {
      if (locked) {
        context.unlockWriter();
      }
    }
  }

  /** The context is over: nothing uses it any more. */
  final void endWithContext() {
    closed = true;
  }
}
