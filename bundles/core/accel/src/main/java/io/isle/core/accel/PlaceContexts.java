package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.driver.ContextArgs;
import io.isle.api.tenancy.Capability;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The contexts of one device's place: opened, lost, closed. Control path; thread-safe. */
final class PlaceContexts {
  /** Most contexts of one device, whatever it says of itself. */
  static final int CAPACITY = 1024;

  private static final System.Logger LOG = System.getLogger(PlaceContexts.class.getName());
  private static final int OWNER_PID = (int) ProcessHandle.current().pid();

  private final DevicePlace place;
  private final DeviceMachine machine;
  private final DeviceAgent agent;
  private final ControlQueue control;
  private final CommandArena arena;
  private final long drainNs;
  private final BitSet taken = new BitSet();
  private final Set<ExecutionContext> contexts = new LinkedHashSet<>();

  /**
   * @param machine used in control operations of the agent only
   * @param drainMs longest wait for work in flight when a context is closed
   */
  PlaceContexts(
      DevicePlace place,
      DeviceMachine machine,
      DeviceAgent agent,
      ControlQueue control,
      long commandBytes,
      long drainMs) {
    this.place = place;
    this.machine = machine;
    this.agent = agent;
    this.control = control;
    this.arena = new CommandArena(commandBytes);
    this.drainNs = TimeUnit.MILLISECONDS.toNanos(drainMs);
  }

  synchronized List<ExecutionContext> list() {
    return new ArrayList<>(contexts);
  }

  ExecutionContext open(
      OpenDevice device, Accelerator accelerator, Capability capability, ContextSpec spec) {
    ExecutionContext context = reserve(device, accelerator, capability, spec);
    ContextSeat seat = context.seat();
    boolean created = false;
    boolean opened = false;
    try {
      device
          .lane()
          .run("create context", () -> device.device().createContext(seat.id(), args(seat)));
      created = true;
      opened =
          place.whileOpen(
              device,
              () ->
                  control.call(
                      () -> machine.onOpen(seat.index(), spec.priority().ordinal(), seat.queue())));
      context.checkUsable();
      return context;
    } finally {
      if (!opened) {
        seat.close();
        if (created) {
          destroyQuietly(seat);
        }
        seat.seal(-Errno.ECLOSED);
        release(context);
      }
    }
  }

  /** Ends a context: pending work with ECLOSED, work in flight as the device says. */
  void close(ExecutionContext context) {
    ContextSeat seat = context.seat();
    ContextSeat.Closing found = seat.close();
    if (found == ContextSeat.Closing.ALREADY) {
      return;
    }
    try {
      if (found == ContextSeat.Closing.OPEN) {
        drain(seat);
      }
    } finally {
      seat.seal(-Errno.ECLOSED);
      Notifier notifier = seat.queue().notifier;
      if (notifier != null) {
        notifier.stop();
      }
      context.memory().end();
      context.programs().end();
      release(context);
    }
  }

  /** The device is gone: no context takes work any more. */
  void lose() {
    list().forEach(context -> context.seat().lose());
  }

  /** The agent has ended everything. */
  void sealLost() {
    for (ExecutionContext context : list()) {
      context.memory().lose();
      context.seat().seal(-Errno.EINTR);
    }
  }

  void closeAll() {
    list().forEach(this::close);
  }

  private void drain(ContextSeat seat) {
    boolean here =
        place.whileOpen(
            seat.device(), () -> control.call(() -> machine.onClose(seat.index(), -Errno.ECLOSED)));
    if (!here) {
      return;
    }
    int ignored = Awaiting.await(seat, seat.queue().timeline.submitted(), drainNs);
    destroyQuietly(seat);
    boolean stillHere =
        place.whileOpen(
            seat.device(),
            () -> control.call(() -> agent.forgetContext(seat.index(), -Errno.ECLOSED)));
    if (!stillHere) {
      seat.seal(-Errno.EINTR);
    }
  }

  private void destroyQuietly(ContextSeat seat) {
    try {
      seat.device()
          .lane()
          .run("destroy context", () -> seat.device().device().destroyContext(seat.id()));
    } catch (AccelException e) {
      // With a lost device its contexts are gone anyway.
      if (e.code() != Errno.ENODEV) {
        LOG.log(System.Logger.Level.WARNING, e.getMessage());
      }
    }
  }

  private synchronized ExecutionContext reserve(
      OpenDevice device, Accelerator accelerator, Capability capability, ContextSpec spec) {
    long used = contexts.stream().filter(ExecutionContext::usable).count();
    int most = Math.min(device.info().maxContexts(), CAPACITY);
    int index = taken.nextClearBit(0);
    if (used >= most || index >= CAPACITY) {
      throw new AccelException(
          Errno.ENOSPC,
          place.deviceId() + ": all " + most + " contexts are taken; close one first");
    }
    long bytes = slotBytes(spec);
    long offset = arena.take(bytes);
    try {
      long id = place.ids().contexts().take();
      PointTimeline timeline =
          new PointTimeline(place.ids().timelines().take(), place.bell(), spec.queueDepth());
      ContextQueue queue =
          new ContextQueue(id, timeline, offset, rounded(spec.commandBytes()), spec.queueDepth());
      ContextSeat seat =
          new ContextSeat(place, device, accelerator, capability, spec, index, offset, queue);
      ExecutionContext context = new ExecutionContext(seat);
      taken.set(index);
      contexts.add(context);
      return context;
    } catch (RuntimeException e) {
      arena.give(offset, bytes);
      throw e;
    }
  }

  private void release(ExecutionContext context) {
    ContextSeat seat = context.seat();
    boolean writing = false;
    try {
      writing = !context.path().retire();
    } finally {
      synchronized (this) {
        if (contexts.remove(context)) {
          taken.clear(seat.index());
          if (!writing) {
            arena.give(seat.offset(), slotBytes(seat.spec()));
          }
          place.ids().contexts().give(seat.id());
          place.ids().timelines().give(seat.queue().timeline.id());
        }
      }
    }
  }

  private static ContextArgs args(ContextSeat seat) {
    return new ContextArgs(
        OWNER_PID,
        seat.spec().priority(),
        seat.memoryLimit(),
        ContextRules.executionLimitUs(seat.spec(), seat.device().info()),
        0,
        0);
  }

  private static long slotBytes(ContextSpec spec) {
    return (long) rounded(spec.commandBytes()) * spec.queueDepth();
  }

  private static int rounded(int bytes) {
    return (bytes + 63) & -64;
  }
}
