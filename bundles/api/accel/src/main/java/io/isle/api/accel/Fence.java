package io.isle.api.accel;

/**
 * A fence point by value (AccelFence, 42.2.3), to be kept or handed on where a {@link Timeline}
 * cannot be. It is a name, not a right: {@link CommandWriter#after(Fence)} checks every part of it.
 *
 * @param type as seen by whoever waits: a context's point is DEVICE_LOCAL for the contexts of its
 *     device, CROSS_DEVICE for all others
 * @param device owner of the context; empty for CPU_SIGNAL
 * @param timeline core id, with its generation
 * @param point on that timeline
 */
public record Fence(FenceType type, String device, long timeline, long point) {
  /** For contexts of the device that {@code timeline} is of. */
  public static Fence local(Timeline timeline, long point) {
    return new Fence(FenceType.DEVICE_LOCAL, timeline.device(), timeline.id(), point);
  }

  /** For contexts of other devices. */
  public static Fence cross(Timeline timeline, long point) {
    return new Fence(FenceType.CROSS_DEVICE, timeline.device(), timeline.id(), point);
  }

  /** For contexts of any device. */
  public static Fence cpu(HostTimeline timeline, long point) {
    return new Fence(FenceType.CPU_SIGNAL, "", timeline.id(), point);
  }
}
