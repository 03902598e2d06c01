package io.isle.core.accel;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capability;
import java.lang.invoke.VarHandle;

/**
 * A context's place on its device: what it was opened with, and where its queue lies. Once sealed,
 * every point has its final status. Thread-safe.
 */
final class ContextSeat extends ContextState {
  private final DevicePlace place;
  private final Accelerator accelerator;
  private final Capability capability;
  private final ContextSpec spec;
  private final long memoryLimit;
  private final long executionLimitUs;
  private final int index;
  private final long offset;
  private final ContextQueue queue;

  /** Why the next device could not have it; null if it could. */
  private volatile String refusal;

  /**
   * @param offset of its slots in the command segment
   */
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
    this.accelerator = accelerator;
    this.capability = capability;
    this.spec = spec;
    this.memoryLimit = ContextRules.memoryLimit(spec, capability);
    this.executionLimitUs = ContextRules.executionLimitUs(spec, device.info());
    this.index = index;
    this.offset = offset;
    this.queue = queue;
  }

  long id() {
    return queue.contextId;
  }

  @Override
  String name() {
    return spec.name();
  }

  @Override
  String lostWhy() {
    String why = refusal;
    return why == null ? place.occupancy().lostWhy() : why;
  }

  /** The next device cannot have it: said to whoever asks why it is lost. */
  void refused(String why) {
    refusal = "its next driver refused this context: " + why;
  }

  /** It is lost while its device stays: said to whoever asks why. */
  void lostFor(String why) {
    refusal = why;
  }

  DevicePlace place() {
    return place;
  }

  Accelerator accelerator() {
    return accelerator;
  }

  Capability capability() {
    return capability;
  }

  /** The group of tenants that it belongs to. */
  String group() {
    return capability.group();
  }

  ContextSpec spec() {
    return spec;
  }

  /** Bytes of device memory, 0 for no limit. */
  long memoryLimit() {
    return memoryLimit;
  }

  /** Longest time of a submission in microseconds, 0 for no limit. */
  long executionLimitUs() {
    return executionLimitUs;
  }

  /** Index in the device's machine. */
  int index() {
    return index;
  }

  long offset() {
    return offset;
  }

  ContextQueue queue() {
    return queue;
  }

  /** The agent ends nothing more of it: what has not ended by now has this code. */
  void seal(int code) {
    queue.timeline.seal(code);
    // as the agent does: sleepers register, then look at the timeline
    VarHandle.fullFence();
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
        capability.group(),
        place.deviceId(),
        spec.priority(),
        state().text(),
        memoryBytes,
        memoryLimit,
        executionLimitUs,
        submitted,
        completed,
        queue.log.failed(),
        (int) Math.max(0, submitted - completed - running),
        running,
        queue.log.busyNs());
  }
}
