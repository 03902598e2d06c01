package io.isle.core.accel.fence;

/** Woken when a timeline has moved. Never blocks, allocates or throws. */
public interface Ringing {
  void ring();

  /** Whether nobody hears it any more. */
  boolean isGone();
}
