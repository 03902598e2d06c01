package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.PageRetirement;
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
  private final LongFunction<Optional<ExecutionContext>> contexts;
  private final KeptWork kept;

  /** Contexts with a bad page whose work in flight has to end first. */
  private final ContextSet poisoned;

  private OpenDevice device;

  /**
   * @param agent has the agent do something between two cycles
   * @param contexts finds a context by its core id
   */
  PartialFailures(
      DeviceMachine machine,
      int capacity,
      Consumer<Runnable> agent,
      LongFunction<Optional<ExecutionContext>> contexts,
      KeptWork kept) {
    this.machine = machine;
    this.agent = agent;
    this.contexts = contexts;
    this.kept = kept;
    this.poisoned = new ContextSet(capacity);
  }

  /** Failures are those of {@code opened} from now on, or there are none. */
  void setDevice(OpenDevice opened) {
    device = opened;
    poisoned.clear();
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
      machine.onHold(c, true);
      poisoned.add(c);
    } else if (detail == -Errno.EIO || detail == -Errno.EHWPOISON) {
      resetContext(c);
    }
  }

  /** Resets a context; what it has in flight ends with EINTR unless a code is set already. */
  void resetContext(int c) {
    if (machine.pending().isHeld(c) || device == null) {
      return;
    }
    OpenDevice on = device;
    ContextQueue queue = machine.queue(c);
    int ignored = machine.inFlight().stopAll(c, -Errno.EINTR);
    machine.onHold(c, true);
    on.lane()
        .post(
            "reset context",
            () -> on.device().resetContext(queue.contextId),
            failure -> resume(c, queue, failure));
  }

  /** Retires pages of contexts that have nothing in flight any more. */
  void run() {
    for (int i = poisoned.size() - 1; i >= 0; i--) {
      int c = poisoned.get(i);
      if (machine.running(c) == 0) {
        poisoned.remove(c);
        OpenDevice on = device;
        ContextQueue queue = machine.queue(c);
        on.lane()
            .post(
                "retire pages",
                () -> contexts.apply(queue.contextId).ifPresent(context -> retire(on, context)),
                failure -> resume(c, queue, failure));
      }
    }
  }

  /** Nothing of a context is left. */
  void onForget(int c) {
    poisoned.remove(c);
  }

  private static void retire(OpenDevice on, ExecutionContext context) {
    PageRetirement retirement = on.retirement().orElseThrow();
    for (PageRetirement.Range range : retirement.faulty()) {
      Optional<DeviceMemory> memory = context.memory().find(range.memory());
      if (memory.isPresent()) {
        // lost before they read as zeros
        memory.get().lose(range.offset(), range.length());
        context.memory().refreshLossy();
        context.seat().restamp();
        retirement.retire(range);
        memory.get().restore(range.offset(), range.length());
      }
    }
    context.memory().refreshLossy();
  }

  /** On a thread of its own: the context goes on. */
  private void resume(int c, ContextQueue queue, AccelException failure) {
    if (failure != null) {
      LOG.log(System.Logger.Level.WARNING, failure.getMessage());
    }
    agent.accept(
        () -> {
          if (machine.queue(c) == queue) {
            contexts.apply(queue.contextId).ifPresent(kept::settle);
            machine.onHold(c, false);
          }
        });
  }
}
