package io.isle.core.accel.agent;

import io.isle.api.accel.FenceType;
import io.isle.api.base.Errno;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.api.driver.Fences;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceRange;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.InFlightTable;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Wait;
import java.lang.foreign.MemorySegment;

/**
 * Submissions that a device got before their waits were over, because it keeps such waits itself
 * (FenceWaiterEntry, 42.2.3). The device is told of each point that it waits for, whoever moves it,
 * and of waits that failed or took too long. What waits there takes no room of what is waited for:
 * it is at most half of what may be in flight, and does not count as that. The agent's own;
 * allocates nothing.
 *
 * <p>In the envelope, the point of a wait that is over is 0: work that starts again waits for what
 * is left.
 */
final class HandedWaits {
  private static final int CAPACITY = 64;

  private final MemorySegment commands;
  private final DeviceMachine machine;
  private final FenceDevice own;
  private final int[] contexts = new int[CAPACITY];
  private final ContextQueue[] queues = new ContextQueue[CAPACITY];
  private final long[] points = new long[CAPACITY];

  /** Whether its context rests, as the device that is open now keeps no waits. */
  private final boolean[] held = new boolean[CAPACITY];

  private int size;
  private Fences device;

  HandedWaits(MemorySegment commands, DeviceMachine machine, FenceDevice own) {
    this.commands = commands;
    this.machine = machine;
    this.own = own;
  }

  int size() {
    return size;
  }

  /**
   * Another device, or none: nothing is in flight. What starts again keeps its waits.
   *
   * @param opened null when there is none or it keeps no waits
   */
  void setDevice(OpenDevice opened) {
    device = opened == null ? null : opened.fences().orElse(null);
    for (int i = 0; i < size; i++) {
      // the recovery that comes with a change released it
      held[i] = false;
      if (opened == null || isOver(i)) {
        continue;
      }
      if (canKeepAll(queues[i], points[i])) {
        write(queues[i], points[i]);
      } else {
        held[i] = true;
        machine.onHold(contexts[i], true);
      }
    }
  }

  /** All waits of a submission are over: no device is to wait for them. */
  void clear(ContextQueue queue, long point) {
    for (int i = 0; i < queue.waitCount(point); i++) {
      set(queue, point, i, 0);
    }
  }

  /** Whether the next submission of a context, whose waits are not over, may wait on the device. */
  boolean take(int c, long point, long now) {
    if (has(c, point)) {
      return device != null;
    }
    if (device == null || size >= CAPACITY || size >= machine.inFlight().allowed() / 2) {
      return false;
    }
    ContextQueue queue = machine.queue(c);
    for (int i = 0; i < queue.waitCount(point); i++) {
      FenceSource source = queue.waitSource(point, i);
      long awaited = queue.waitPoint(point, i);
      if (source.outcome(awaited, now) != 0 && !canKeep(source, awaited)) {
        return false;
      }
    }
    contexts[size] = c;
    queues[size] = queue;
    points[size] = point;
    held[size] = false;
    size++;
    for (int i = 0; i < queue.waitCount(point); i++) {
      boolean over = queue.waitSource(point, i).outcome(queue.waitPoint(point, i), now) == 0;
      set(queue, point, i, over ? 0 : value(queue.waitPoint(point, i)));
    }
    return true;
  }

  private boolean has(int c, long point) {
    for (int i = 0; i < size; i++) {
      if (contexts[i] == c && points[i] == point && queues[i] == machine.queue(c)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the device that is open now can keep what is left of a submission's waits. */
  private boolean canKeepAll(ContextQueue queue, long point) {
    boolean can = device != null;
    for (int w = 0; w < queue.waitCount(point) && can; w++) {
      can =
          get(queue, point, w) == 0
              || canKeep(queue.waitSource(point, w), queue.waitPoint(point, w));
    }
    return can;
  }

  private boolean canKeep(FenceSource source, long awaited) {
    if (awaited - source.reached() > own.window() || value(awaited) == 0) {
      return false;
    }
    FenceDevice of = source.owner().device();
    boolean newest = awaited == source.promised();
    return switch (type(of)) {
      case CPU_SIGNAL -> own.support().cpuSignal();
      case DEVICE_LOCAL -> own.support().timelineSemaphores() || newest;
      case CROSS_DEVICE -> {
        FenceProtocolSupport other = of.support();
        yield own.support().hwCrossDevice()
            && other.hwCrossDevice()
            && other.maxFenceValue() == own.support().maxFenceValue()
            && (other.timelineSemaphores() || newest);
      }
    };
  }

  private FenceType type(FenceDevice of) {
    if (of == null) {
      return FenceType.CPU_SIGNAL;
    }
    return of == own ? FenceType.DEVICE_LOCAL : FenceType.CROSS_DEVICE;
  }

  /** Tells the device what has come of waits; returns of how many submissions. */
  int run(long now) {
    int done = 0;
    for (int i = size - 1; i >= 0; i--) {
      if (isOver(i) || tell(i, now)) {
        remove(i);
        done++;
      }
    }
    machine.inFlight().exempt(onDevice());
    return done;
  }

  /** How many have started: fewer may be allowed by now, and what they wait for has to start. */
  private int onDevice() {
    int count = 0;
    for (int i = 0; i < size; i++) {
      count += machine.pending().isTaken(contexts[i], points[i]) ? 1 : 0;
    }
    return count;
  }

  private boolean isOver(int i) {
    return machine.queue(contexts[i]) != queues[i] || machine.endings().has(contexts[i], points[i]);
  }

  /** Returns whether nothing is left to tell. */
  private boolean tell(int i, long now) {
    ContextQueue queue = queues[i];
    long point = points[i];
    int left = 0;
    for (int w = 0; w < queue.waitCount(point); w++) {
      if (get(queue, point, w) == 0) {
        continue;
      }
      FenceSource source = queue.waitSource(point, w);
      int outcome = source.outcome(queue.waitPoint(point, w), now);
      if (outcome == -Errno.EINPROGRESS) {
        left++;
      } else if (outcome != 0) {
        end(contexts[i], point, outcome);
        return true;
      } else {
        set(queue, point, w, 0);
        signalled(source.id(), queue.waitPoint(point, w));
      }
    }
    if (left > 0 && now - queue.waitLimit(point) >= 0 && queue.waitLimit(point) != Long.MAX_VALUE) {
      own.timedOut();
      end(contexts[i], point, -Errno.ETIMEDOUT);
      return true;
    }
    return left == 0;
  }

  private void signalled(long timeline, long awaited) {
    if (device != null) {
      try {
        device.signalled(timeline, value(awaited));
      } catch (RuntimeException | Error e) {
        // its work ends by the execution limit
        device = null;
      }
    }
  }

  /** Ends a submission whose waits failed, on the device or before it is there again. */
  private void end(int c, long point, int code) {
    InFlightTable inFlight = machine.inFlight();
    for (int i = 0; i < inFlight.capacity(); i++) {
      if (inFlight.context(i) == c && inFlight.point(i) == point) {
        inFlight.stopWith(i, code);
        if (device != null) {
          try {
            device.cancel(inFlight.tag(i));
          } catch (RuntimeException | Error e) {
            device = null;
          }
        }
        return;
      }
    }
    machine.onRefuse(c, point, code);
  }

  private void remove(int i) {
    if (held[i] && machine.queue(contexts[i]) == queues[i]) {
      machine.onHold(contexts[i], false);
    }
    size--;
    contexts[i] = contexts[size];
    queues[i] = queues[size];
    points[i] = points[size];
    held[i] = held[size];
    queues[size] = null;
  }

  /** The earliest time at which a wait may end without a signal; Long.MAX_VALUE for none. */
  long nextLimit() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < size; i++) {
      next = Math.min(next, WaitRelease.limit(queues[i], points[i]));
    }
    return next;
  }

  /** Another device may count in another range. */
  private void write(ContextQueue queue, long point) {
    for (int w = 0; w < queue.waitCount(point); w++) {
      if (get(queue, point, w) != 0) {
        set(queue, point, w, value(queue.waitPoint(point, w)));
      }
    }
  }

  private long value(long point) {
    FenceRange range = own.range();
    return range.value(point);
  }

  private long get(ContextQueue queue, long point, int wait) {
    return commands.get(CommandEnvelope.U64, at(queue, point, wait));
  }

  private void set(ContextQueue queue, long point, int wait, long value) {
    commands.set(CommandEnvelope.U64, at(queue, point, wait), value);
  }

  private static long at(ContextQueue queue, long point, int wait) {
    return queue.offset(point)
        + CommandEnvelope.HEADER_BYTES
        + (long) wait * Wait.BYTES
        + Wait.POINT;
  }
}
