package io.isle.api.accel;

import io.isle.api.tenancy.Capability;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Points 1, 2, 3, ... that end in order. A fence is a timeline and a point. Only its owner moves
 * it: the device for a context's, a tenant for a {@link HostTimeline}. Thread-safe.
 */
@ProviderType
public interface Timeline {
  /** Core id of kind TIMELINE or HOST_TIMELINE. */
  long id();

  /** All points up to this one have ended; 0 at first. */
  long ended();

  /** How a point ended, as {@link Context#status}: an interrupted one is signalled as failed. */
  int status(long point);

  /** Id of the device whose context it is of; empty for a {@link HostTimeline}. */
  String device();

  /**
   * Lets submissions of another tenant wait for its points; those of the owner's tenant always may.
   * It gives no right to move the timeline. Idempotent; holds until the timeline is gone.
   *
   * @param owner a valid capability of the tenant that the timeline belongs to
   * @throws AccelException EACCES for a capability of another tenant; EREVOKED; EINVAL for an empty
   *     tenant; ENOSPC when it is shared with 16 others
   */
  void share(Capability owner, String tenant);
}
