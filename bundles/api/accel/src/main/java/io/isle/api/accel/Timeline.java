package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/** Points 1, 2, 3, ... that end in order. A fence is a timeline and a point. Thread-safe. */
@ProviderType
public interface Timeline {
  /** Core id of kind TIMELINE. */
  long id();

  /** All points up to this one have ended; 0 at first. */
  long ended();

  /** How a point ended, as {@link Context#status}: an interrupted one is signalled as failed. */
  int status(long point);
}
