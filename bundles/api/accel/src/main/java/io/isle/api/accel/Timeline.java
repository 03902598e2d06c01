package io.isle.api.accel;

import io.isle.api.tenancy.Capability;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A sequence of points 1, 2, 3, ... that end in order. A fence is a timeline and a point. Only the
 * owner advances a timeline: the device for a context's timeline, the tenant for a {@link
 * HostTimeline}. Thread-safe.
 */
@ProviderType
public interface Timeline {
  /** Core id of kind TIMELINE or HOST_TIMELINE. */
  long id();

  /** The newest point up to which all points have ended; 0 at first. */
  long ended();

  /** The result of a point, as {@link Context#status}; an interrupted point counts as failed. */
  int status(long point);

  /** Id of the device of a context's timeline; empty for a {@link HostTimeline}. */
  String device();

  /**
   * Allows submissions of another tenant to wait for points; submissions of the owner's tenant are
   * always allowed. Sharing gives no right to advance the timeline. Idempotent; lasts until the end
   * of the timeline.
   *
   * @param owner a valid capability of the timeline's tenant
   * @param tenant the other tenant
   * @throws AccelException EACCES for a capability of another tenant; EREVOKED; EINVAL for an empty
   *     tenant; ENOSPC if 16 other tenants share the timeline
   */
  void share(Capability owner, String tenant);
}
