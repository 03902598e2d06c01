package io.isle.core.accel.submit;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Fence;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.Timeline;
import io.isle.api.base.MonotonicClock;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.fence.FenceCheck;
import io.isle.core.accel.fence.FenceRegistry;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.timeline.HostTimelineHandle;
import java.util.concurrent.TimeUnit;

/**
 * What the submission being written waits for and what its end signals. Each method returns 0 or
 * the code of a refusal, which {@link #check} can put into words. One thread; allocates nothing.
 */
final class FenceWriter {
  private final FenceCheck check;
  private final FenceRegistry registry;
  private final MonotonicClock clock;
  private final Bell bell;
  private final ContextQueue queue;
  private final EnvelopeSlot slot;
  private HostTimelineHandle target;
  private long targetPoint;
  private long waitNs;
  private boolean hostWait;

  FenceWriter(ContextRecord record, CoreServices core, EnvelopeSlot slot) {
    this.registry = core.fences();
    this.clock = core.clock();
    this.bell = record.services().bell();
    this.queue = record.queue();
    this.slot = slot;
    this.check = new FenceCheck(registry.timelines(), queue.timeline.owner(), queue.timeline.id());
  }

  FenceCheck check() {
    return check;
  }

  void begin() {
    target = null;
    waitNs = 0;
    hostWait = false;
  }

  /** The submission at {@code point} waits. */
  int after(long point, Timeline timeline, long awaited) {
    return after(point, timeline instanceof FenceSource known ? known : null, awaited);
  }

  /** The submission at {@code point} waits. */
  int after(long point, Fence fence) {
    FenceSource found = check.find(fence);
    return found == null ? check.code() : after(point, found, fence.point());
  }

  private int after(long point, FenceSource source, long awaited) {
    if (slot.waits() == ContextQueue.MAX_WAITS) {
      return check.tooMany(ContextQueue.MAX_WAITS);
    }
    int code = check.mayWait(source, awaited);
    if (code != 0) {
      return code;
    }
    if (source == target && awaited >= targetPoint) {
      return check.waitsForItself(awaited, targetPoint);
    }
    int index = slot.waits();
    if (!slot.addWait(source.id(), awaited)) {
      return slot.error();
    }
    hostWait |= source.owner().device() == null;
    source.watch(bell);
    queue.setWait(point, index, source, awaited);
    return 0;
  }

  int waitAtMost(long timeoutNs) {
    if (timeoutNs < 1 || timeoutNs > CommandWriter.MAX_WAIT_NS) {
      return check.timeout(timeoutNs, CommandWriter.MAX_WAIT_NS);
    }
    waitNs = timeoutNs;
    return 0;
  }

  /** The end of the submission at {@code point} signals. */
  int signal(long point, HostTimeline timeline, long signalled) {
    if (target != null) {
      return check.second();
    }
    HostTimelineHandle own = timeline instanceof HostTimelineHandle known ? known : null;
    int code = check.maySignal(own, signalled, clock.nanoTime());
    if (code != 0) {
      return code;
    }
    for (int i = 0; i < slot.waits(); i++) {
      long awaited = queue.waitPoint(point, i);
      if (queue.waitSource(point, i) == own && awaited >= signalled) {
        return check.waitsForItself(awaited, signalled);
      }
    }
    target = own;
    targetPoint = signalled;
    return 0;
  }

  /** Whether the end of what was described last signals something. */
  boolean signals() {
    return target != null;
  }

  /** Describes what was written. */
  void finish(long point) {
    long most =
        waitNs > 0
            ? waitNs
            : hostWait ? TimeUnit.MILLISECONDS.toNanos(registry.settings().hostWaitMs()) : 0;
    queue.setFences(
        point,
        most == 0 || slot.waits() == 0 ? Long.MAX_VALUE : clock.nanoTime() + most,
        target == null ? null : target.points(),
        targetPoint);
  }
}
