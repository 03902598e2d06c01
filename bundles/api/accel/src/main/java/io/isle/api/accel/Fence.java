package io.isle.api.accel;

/**
 * A fence point by value (AccelFence, 42.2.3), to store or pass on instead of a {@link Timeline}. A
 * fence is a name and gives no right: {@link CommandWriter#after(Fence)} checks each part.
 * Immutable.
 *
 * @param type from the view of the waiting context: a context's point is DEVICE_LOCAL for contexts
 *     of the same device, CROSS_DEVICE for all others
 * @param device device of the context; empty for CPU_SIGNAL
 * @param timeline core id, with its generation
 * @param point point on this timeline
 */
public record Fence(FenceType type, String device, long timeline, long point) {
  /** A fence for contexts of the timeline's own device. */
  public static Fence local(Timeline timeline, long point) {
    return new Fence(FenceType.DEVICE_LOCAL, timeline.device(), timeline.id(), point);
  }

  /** A fence for contexts of other devices. */
  public static Fence cross(Timeline timeline, long point) {
    return new Fence(FenceType.CROSS_DEVICE, timeline.device(), timeline.id(), point);
  }

  /** A fence for contexts of any device. */
  public static Fence cpu(HostTimeline timeline, long point) {
    return new Fence(FenceType.CPU_SIGNAL, "", timeline.id(), point);
  }
}
