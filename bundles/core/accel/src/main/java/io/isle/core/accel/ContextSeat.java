package io.isle.core.accel;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capability;

/**
 * A context's place on its device and its state. {@code OPEN} takes work; {@code LOST} and {@code
 * CLOSED} take none. Once sealed, every point has its final status. Thread-safe.
 */
final class ContextSeat {
  private static final int OPEN = 0;
  private static final int LOST = 1;
  private static final int CLOSED = 2;

  private final DevicePlace place;
  private final OpenDevice device;
  private final Accelerator accelerator;
  private final Capability capability;
  private final ContextSpec spec;
  private final long memoryLimit;
  private final int index;
  private final long offset;
  private final ContextQueue queue;
  private volatile int state = OPEN;

  ContextSeat(
      DevicePlace place,
      OpenDevice device,
      Accelerator accelerator,
      Capability capability,
      ContextSpec spec,
      int index,
      long offset,
      ContextQueue queue) {
    this.place = place;
    this.device = device;
    this.accelerator = accelerator;
    this.capability = capability;
    this.spec = spec;
    this.memoryLimit = ContextRules.memoryLimit(spec, capability);
    this.index = index;
    this.offset = offset;
    this.queue = queue;
  }

  long id() {
    return queue.contextId;
  }

  DevicePlace place() {
    return place;
  }

  /** The device as it was opened when the context was. */
  OpenDevice device() {
    return device;
  }

  Accelerator accelerator() {
    return accelerator;
  }

  Capability capability() {
    return capability;
  }

  ContextSpec spec() {
    return spec;
  }

  /** Bytes of device memory, 0 for no limit. */
  long memoryLimit() {
    return memoryLimit;
  }

  /** Index in the device's machine. */
  int index() {
    return index;
  }

  /** Offset of its slots in the command segment. */
  long offset() {
    return offset;
  }

  ContextQueue queue() {
    return queue;
  }

  boolean usable() {
    return state == OPEN;
  }

  /** 0, -ENODEV or -ECLOSED. */
  int stateCode() {
    return switch (state) {
      case OPEN -> 0;
      case LOST -> -Errno.ENODEV;
      default -> -Errno.ECLOSED;
    };
  }

  synchronized void lose() {
    if (state == OPEN) {
      state = LOST;
    }
  }

  /** Whether this call closed it; {@code wasOpen} tells whether the driver still has it. */
  synchronized Closing close() {
    int before = state;
    state = CLOSED;
    return switch (before) {
      case OPEN -> Closing.OPEN;
      case LOST -> Closing.LOST;
      default -> Closing.ALREADY;
    };
  }

  /** What {@link #close} found. */
  enum Closing {
    OPEN,
    LOST,
    ALREADY
  }

  /** The agent ends nothing more of it: what has not ended by now has this code. */
  void seal(int code) {
    queue.timeline.seal(code);
    queue.wake(Long.MAX_VALUE);
  }

  int status(long point) {
    return queue.timeline.status(point);
  }

  ContextInfo info(long memoryBytes) {
    long submitted = queue.timeline.submitted();
    long completed = Math.min(submitted, queue.log.completed());
    int running = queue.log.running();
    return new ContextInfo(
        Ids.text(id()),
        spec.name(),
        capability.tenant(),
        place.deviceId(),
        spec.priority(),
        state == OPEN ? "open" : state == LOST ? "lost" : "closed",
        memoryBytes,
        memoryLimit,
        ContextRules.executionLimitUs(spec, device.info()),
        submitted,
        completed,
        queue.log.failed(),
        (int) Math.max(0, submitted - completed - running),
        running,
        queue.log.busyNs());
  }
}
