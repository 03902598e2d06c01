package io.isle.core.accel.context;

/** Keeps a context's writer from its tenant for a moment, to close what submissions use. */
public interface WriterLock {
  /**
   * Owns the writer for a moment.
   *
   * @return whether to {@link #unlock} afterwards; false when the caller owned it already
   * @throws io.isle.api.accel.AccelException EBUSY when another thread keeps it
   */
  boolean lock();

  void unlock();
}
