package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.PreemptReason;
import io.isle.core.accel.machine.ContextSet;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.HostGroups;
import io.isle.core.accel.machine.InFlightTable;
import io.isle.core.accel.machine.Watchdog;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.lib.kabi.CommandEnvelope;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The agent's calls of the device: starts what the machine chose and asks for completions. A device
 * that is full is asked again after its next completion, or after 50 us. One thread.
 */
final class Dispatcher {
  static final long RETRY_NS = 50_000;

  /** As {@link HostGroups#MOST_REFUSALS}, after which the device is given up. */
  static final int MOST_REFUSALS = HostGroups.MOST_REFUSALS;

  private static final int BATCH = 64;

  private final MemorySegment commands;
  private final DeviceMachine machine;
  private final InFlightTable inFlight;
  private final CompletionRing completions;
  private final Watchdog watchdog;
  private final PartialFailures failures;
  private final WorkErrors errors;
  private final Consumer<RecoveryCause> failed;
  private AccelDevice device;
  private boolean full;
  private int refusals;
  private long retryAt;

  Dispatcher(
      MemorySegment commands,
      DeviceMachine machine,
      CompletionRing completions,
      Watchdog watchdog,
      PartialFailures failures,
      WorkErrors errors,
      Consumer<RecoveryCause> failed) {
    this.commands = commands;
    this.machine = machine;
    this.inFlight = machine.inFlight();
    this.completions = completions;
    this.watchdog = watchdog;
    this.failures = failures;
    this.errors = errors;
    this.failed = failed;
  }

  /** Calls go to {@code opened} from now on, or to none. */
  void setDevice(AccelDevice opened) {
    device = opened;
    completed();
  }

  /** Whether there is a device that work goes to. */
  boolean hasDevice() {
    return device != null;
  }

  /** Whether the device could not take the last submission and is to be asked again. */
  boolean asksAgain(long now) {
    return full && machine.hasReady(now);
  }

  /** A completion came: there is room again. */
  void completed() {
    full = false;
    refusals = 0;
  }

  void poll(int limit) {
    if (device != null) {
      try {
        int ignored = device.poll(limit);
      } catch (RuntimeException | Error e) {
        fail(RecoveryCause.Kind.EXCEPTION, "poll threw " + e);
      }
    }
  }

  /** The driver says that the device can do no more, in its answer or a completion. */
  void gone() {
    if (device != null) {
      fail(RecoveryCause.Kind.CRASH, "the driver reports that the device is gone");
    }
  }

  /**
   * The device gave work back: it is asked again a little later.
   *
   * @param counts whether it was the device itself, not the process of a group
   */
  void rest(long now, boolean counts) {
    full = true;
    retryAt = now + RETRY_NS;
    if (!counts) {
      return;
    }
    if (inFlight.size() > 0) {
      refusals = 0;
    } else if (++refusals == MOST_REFUSALS) {
      fail(RecoveryCause.Kind.HANG, "the idle device refuses work");
    }
  }

  /** Asks what a context has on the device to leave it; one that cannot be asked goes on. */
  void evict(int c) {
    if (device != null && inFlight.running(c) > 0) {
      try {
        int ignored = device.preempt(machine.queue(c).contextId, PreemptReason.ADMIN_EVICT);
      } catch (RuntimeException | Error e) {
        fail(RecoveryCause.Kind.EXCEPTION, "preempt threw " + e);
      }
    }
  }

  /**
   * Asks every context with work on the device to leave it.
   *
   * @return whether the device can ask them
   */
  boolean evict() {
    ContextSet contexts = machine.contexts();
    boolean can = true;
    for (int i = 0; i < contexts.size() && device != null && can; i++) {
      int c = contexts.get(i);
      if (inFlight.running(c) > 0) {
        inFlight.evictAll(c);
        try {
          can =
              device.preempt(machine.queue(c).contextId, PreemptReason.ADMIN_EVICT)
                  != -Errno.ENOTSUP;
        } catch (RuntimeException | Error e) {
          fail(RecoveryCause.Kind.EXCEPTION, "preempt threw " + e);
        }
      }
    }
    return can && device != null;
  }

  /** Starts submissions until there are no more, or the device is full; returns how many. */
  int dispatch(long now) {
    if (device == null || full && now - retryAt < 0) {
      return 0;
    }
    int started = 0;
    while (started < BATCH) {
      int index = machine.next(now);
      if (index < 0) {
        break;
      }
      full = false;
      if (start(index, now) == -Errno.EAGAIN) {
        rest(now, true);
        break;
      }
      if (device == null) {
        break;
      }
      started++;
    }
    return started;
  }

  private int start(int index, long now) {
    ContextQueue queue = machine.queue(inFlight.context(index));
    long point = inFlight.point(index);
    long tag = inFlight.tag(index);
    long offset = queue.offset(point);
    commands.set(CommandEnvelope.U64, offset + CommandEnvelope.TAG, tag);
    completions.arm(index, tag);
    watchdog.onDispatch(index, now, machine.departures().ranNs(index));
    int result;
    try {
      result = device.submit(queue.contextId, tag, commands, offset, queue.length(point));
    } catch (RuntimeException | Error e) {
      fail(RecoveryCause.Kind.EXCEPTION, "submit threw " + e);
      return 0;
    }
    // A refusal counts only while no completion of the tag was accepted.
    if (result != 0 && completions.disarm(index, tag)) {
      if (result == -Errno.EAGAIN) {
        machine.departures().onRejected(index);
        return result;
      }
      if (result == -Errno.ENODEV) {
        machine.departures().onRejected(index);
        gone();
        return result;
      }
      int c = inFlight.context(index);
      boolean half = machine.departures().isHalfDone(index);
      machine.departures().onAbandon(index, CompletionCodes.ofRefusal(result), false);
      errors.onEnd(queue, point, now);
      if (half) {
        // nothing else of the context may start where how far that came is kept
        failures.resetContext(c);
      }
    }
    return 0;
  }

  /** No further data call is made; what is pending waits for the device to be taken away. */
  private void fail(RecoveryCause.Kind kind, String why) {
    device = null;
    failed.accept(new RecoveryCause(kind, why));
  }
}
