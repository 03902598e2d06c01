package io.isle.core.accel.agent;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.ContextSet;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.queue.ContextQueue;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Failures that concern one context (accelerator framework, 42.3.7): an error of the context resets
 * it, a bad page of its memory is retired. Meanwhile its pending work is held, and everybody else
 * goes on. Used by the agent; control calls are made on the device's control lane.
 */
final class PartialFailures {
  private static final System.Logger LOG = System.getLogger(PartialFailures.class.getName());

  private final DeviceMachine machine;
  private final Consumer<Runnable> agent;
  private final LongFunction<? extends Optional<? extends ServedContext>> contexts;
  private final KeptWork kept;

  /** Contexts with a bad page whose work in flight has to end first. */
  private final ContextSet poisoned;

  /** By context, the reset that is under way; null if none is. */
  private final Reset[] resets;

  private Reset deviceReset;

  /** By context, how often its failures were forgotten: what is on its way from before is void. */
  private final int[] forgotten;

  private OpenDevice device;

  /** A control call on its way. */
  private static final class Reset {
    volatile boolean begun;
  }

  /**
   * @param agent has the agent do something between two cycles
   * @param contexts finds a context by its core id
   */
  PartialFailures(
      DeviceMachine machine,
      int capacity,
      Consumer<Runnable> agent,
      LongFunction<? extends Optional<? extends ServedContext>> contexts,
      KeptWork kept) {
    this.machine = machine;
    this.agent = agent;
    this.contexts = contexts;
    this.kept = kept;
    this.poisoned = new ContextSet(capacity);
    this.resets = new Reset[capacity];
    this.forgotten = new int[capacity];
  }

  /** Failures are those of {@code opened} from now on, or there are none. */
  void setDevice(OpenDevice opened) {
    device = opened;
    poisoned.clear();
    Arrays.fill(resets, null);
    deviceReset = null;
    machine.onReset(false);
  }

  /** A submission is about to end; one that the core stopped itself says nothing new. */
  void onCompletion(int index, int status, int detail) {
    int c = machine.inFlight().context(index);
    if (status != CompletionSink.ERROR
        || c < 0
        || device == null
        || machine.inFlight().endCode(index) != 0) {
      return;
    }
    machine.inFlight().stopWith(index, -Errno.EIO);
    if (detail == -Errno.EHWPOISON && device.retirement().isPresent()) {
      if (!poisoned.has(c)) {
        machine.onHold(c, true);
        poisoned.add(c);
      }
    } else if (detail == -Errno.EIO || detail == -Errno.EHWPOISON) {
      resetContext(c);
    }
  }

  /** Resets a context; what it has in flight ends with EINTR unless a code is set already. */
  void resetContext(int c) {
    if (device == null || resets[c] != null) {
      return;
    }
    OpenDevice on = deviceOf(c);
    ContextQueue queue = machine.queue(c);
    int ignored = machine.inFlight().stopAll(c, -Errno.EINTR);
    machine.departures().onProgressLost(c);
    Reset reset = new Reset();
    resets[c] = reset;
    machine.onHold(c, true);
    post(
        on,
        "reset context",
        () -> {
          reset.begun = true;
          on.device().resetContext(queue.contextId);
        },
        () -> {
          if (resets[c] == reset) {
            resets[c] = null;
            machine.onHold(c, false);
          }
        });
  }

  /** Resets the device; what is in flight ends so too. Nothing starts that the reset would take. */
  void resetDevice() {
    OpenDevice on = device;
    int ignored = machine.inFlight().stopAll(-1, -Errno.EINTR);
    if (deviceReset != null) {
      return;
    }
    for (int i = 0; i < machine.contexts().size(); i++) {
      machine.departures().onProgressLost(machine.contexts().get(i));
    }
    Reset reset = new Reset();
    deviceReset = reset;
    machine.onReset(true);
    post(
        on,
        "reset device",
        () -> {
          reset.begun = true;
          on.device().resetDevice();
        },
        () -> {
          if (deviceReset == reset) {
            deviceReset = null;
            machine.onReset(false);
          }
        });
  }

  /** Whether a reset of the context or device waits for other control calls to return. */
  boolean awaitsReset(int c) {
    return resets[c] != null && !resets[c].begun || deviceReset != null && !deviceReset.begun;
  }

  /** Retires pages of contexts that have nothing in flight any more. */
  void run() {
    for (int i = poisoned.size() - 1; i >= 0; i--) {
      int c = poisoned.get(i);
      if (machine.inFlight().running(c) == 0) {
        poisoned.remove(c);
        OpenDevice on = deviceOf(c);
        ContextQueue queue = machine.queue(c);
        int before = forgotten[c];
        post(
            on,
            "retire pages",
            () ->
                contexts
                    .apply(queue.contextId)
                    .map(context -> new PageReplacement(on.retirement().orElseThrow(), context))
                    .ifPresent(PageReplacement::run),
            () -> {
              if (machine.queue(c) == queue && forgotten[c] == before) {
                contexts.apply(queue.contextId).ifPresent(kept::settle);
                machine.onHold(c, false);
              }
            });
      }
    }
  }

  /** The device that has a context: the process of its group, or the device itself. */
  private OpenDevice deviceOf(int c) {
    return contexts
        .apply(machine.queue(c).contextId)
        .flatMap(context -> context.record().bound())
        .orElse(device);
  }

  /** Nothing of a context is left, or what had it is gone. */
  void onForget(int c) {
    forgotten[c]++;
    poisoned.remove(c);
    resets[c] = null;
  }

  /**
   * Makes a control call that nobody waits for.
   *
   * @param to the device, or the process of a group on it
   * @param then done by the agent afterwards if the device is still there, also when the call
   *     failed
   */
  private void post(OpenDevice to, String what, Runnable operation, Runnable then) {
    OpenDevice on = device;
    to.lane()
        .post(
            what,
            operation,
            failure -> {
              if (failure != null) {
                LOG.log(System.Logger.Level.WARNING, failure.getMessage());
              }
              tellAgent(on, then);
            });
  }

  private void tellAgent(OpenDevice on, Runnable then) {
    try {
      agent.accept(
          () -> {
            if (device == on) {
              then.run();
            }
          });
    } catch (AccelException e) {
      // the agent is gone or stuck, of which it was told: the device is replaced
      LOG.log(System.Logger.Level.WARNING, e.getMessage());
    }
  }
}
