package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.ContextArgs;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.core.accel.admission.GroupMembers;
import io.isle.core.accel.admission.Membership;
import io.isle.core.accel.context.ContextSeat;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.queue.Awaiting;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.Notifier;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.submit.ContextHome;
import io.isle.core.accel.submit.ExecutionContext;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Opens and closes the contexts of a managed device. Control path; thread-safe. */
final class DeviceContexts implements ContextHome {
  /** The steps of a close that each last at most a control call's time. */
  private static final int CLOSING_CALLS = 5;

  private static final System.Logger LOG = System.getLogger(DeviceContexts.class.getName());
  private static final int OWNER_PID = (int) ProcessHandle.current().pid();

  private final DeviceOpenings openings;
  private final DeviceEngine engine;
  private final ContextSeats seats;
  private final GroupMembers members;
  private final AuditTrail audit;
  private final Supplier<AccelLimits> limits;

  /**
   * @param limits name the longest wait for work in flight when a context is closed
   */
  DeviceContexts(
      DeviceOpenings openings,
      DeviceEngine engine,
      ContextSeats seats,
      GroupMembers members,
      AuditTrail audit,
      Supplier<AccelLimits> limits) {
    this.openings = openings;
    this.engine = engine;
    this.seats = seats;
    this.members = members;
    this.audit = audit;
    this.limits = limits;
  }

  List<ExecutionContext> list() {
    return seats.list();
  }

  ExecutionContext open(OpenDevice device, Accelerator accelerator, Membership membership) {
    ExecutionContext context = seats.reserve(device, accelerator, membership, this);
    ContextSeat seat = context.seat();
    OpenDevice created = null;
    boolean entered = false;
    AtomicBoolean opened = new AtomicBoolean();
    try {
      if (!members.enter(membership, context)) {
        throw new AccelException(Errno.EBUSY, "group " + membership.group() + " is being deleted");
      }
      OpenDevice on = openings.groups().enter(device, seat.group());
      entered = true;
      on.lane().run("create context", () -> on.device().createContext(seat.id(), args(seat)));
      created = on;
      AtomicBoolean current = new AtomicBoolean();
      boolean there =
          openings
              .occupancy()
              .whileOpen(
                  device,
                  () -> {
                    if (openings.groups().isCurrent(device, on, seat.group())) {
                      engine.call(() -> engine.open(seat, on == device ? null : seat.group()));
                      current.set(true);
                      opened.set(seat.opened(on));
                    }
                  });
      if (!there || !current.get()) {
        throw new AccelException(
            Errno.EINTR, openings.deviceId() + " recovers; try again in a moment");
      }
      if (!opened.get()) {
        throw new AccelException(
            Errno.ECLOSED,
            "context " + seat.spec().name() + " was closed while it was being opened");
      }
      return context;
    } finally {
      if (!opened.get()) {
        abandon(context, created, entered);
      }
    }
  }

  private void abandon(ExecutionContext context, OpenDevice created, boolean entered) {
    ContextSeat seat = context.seat();
    var ignored = seat.close();
    try {
      if (created != null) {
        destroyQuietly(seat, created);
      }
      engine.call(() -> engine.ending().forget(seat, -Errno.ECLOSED));
    } finally {
      try {
        seat.seal(-Errno.ECLOSED);
        seats.release(context);
        if (entered) {
          openings.groups().leave(seat.group());
        }
      } finally {
        members.leave(seat.membership());
      }
    }
  }

  @Override
  public void close(ExecutionContext context) {
    ContextSeat seat = context.seat();
    begin(
            context,
            false,
            () ->
                AuditTrail.tenant(
                        "context.close",
                        seat.capability().tenant(),
                        seat.capability().id(),
                        openings.deviceId())
                    .object(Ids.text(seat.id()))
                    .detail(seat.spec().name()))
        .run();
  }

  @Override
  public Runnable evict(ExecutionContext context, String why) {
    ContextSeat seat = context.seat();
    seat.evicted(why);
    return begin(
        context,
        true,
        () ->
            AuditEvent.of(Actor.current(), "context.evict")
                .device(openings.deviceId())
                .object(Ids.text(seat.id()))
                .detail(seat.spec().name() + " of " + seat.capability().tenant() + ": " + why));
  }

  /**
   * Takes no more work, and ends what waits.
   *
   * @param soon work in flight is not let end by itself
   * @return the rest
   */
  private Runnable begin(ExecutionContext context, boolean soon, Supplier<AuditEvent> event) {
    ContextSeat seat = context.seat();
    ContextState.Closing found = seat.close();
    if (found.before() == ContextState.State.NEW) {
      // Whoever opens it finds it closed and takes it back: until then its seat is not free.
      return () -> {};
    }
    if (found.before() == ContextState.State.CLOSED) {
      return () -> {
        long boundNs =
            TimeUnit.MILLISECONDS.toNanos(CLOSING_CALLS * limits.get().controlTimeoutMs());
        var ignored = Awaiting.await(seat, seat.queue().timeline.submitted(), boundNs);
      };
    }
    audit.record(event.get());
    // null: there is nothing to be done on a device
    OpenDevice device = found.device();
    boolean begun = false;
    try {
      if (found.before() != ContextState.State.LOST) {
        engine.call(() -> engine.ending().close(seat, -Errno.ECLOSED));
        if (device != null && soon) {
          engine.call(() -> engine.evict(seat, -Errno.ECLOSED));
        }
      }
      begun = true;
    } finally {
      if (!begun) {
        over(context);
      }
    }
    long asked = System.nanoTime();
    return () -> {
      try {
        if (found.before() != ContextState.State.LOST) {
          finish(seat, device, asked);
        }
      } finally {
        over(context);
      }
    };
  }

  private void over(ExecutionContext context) {
    ContextSeat seat = context.seat();
    try {
      seat.seal(-Errno.ECLOSED);
      Notifier notifier = seat.queue().notifier;
      if (notifier != null) {
        notifier.stop();
      }
      context.memory().end();
      context.programs().end();
      seats.release(context);
      openings.groups().leave(seat.group());
    } finally {
      members.leave(seat.membership());
    }
  }

  void closeAll() {
    list().forEach(ExecutionContext::closeAnyway);
  }

  /**
   * @param device that has the context; null while the device recovers
   * @param askedNs since when nothing of it starts
   */
  private void finish(ContextSeat seat, OpenDevice device, long askedNs) {
    if (device != null) {
      long drainNs = TimeUnit.MILLISECONDS.toNanos(limits.get().controlTimeoutMs());
      long leftNs = Math.max(0, drainNs - (System.nanoTime() - askedNs));
      if (Awaiting.await(seat, seat.queue().timeline.submitted(), leftNs) == -Errno.ETIME) {
        engine.call(() -> engine.ending().stopWith(seat, -Errno.ECLOSED));
      }
      destroyQuietly(seat, device);
    }
    engine.call(() -> engine.ending().forget(seat, -Errno.ECLOSED));
  }

  private void destroyQuietly(ContextSeat seat, OpenDevice device) {
    try {
      device.lane().run("destroy context", () -> device.device().destroyContext(seat.id()));
    } catch (AccelException e) {
      // A device that is gone has no contexts.
      if (e.code() != Errno.EINTR) {
        LOG.log(System.Logger.Level.WARNING, e.getMessage());
      }
    }
  }

  /** What a driver is told of a context, at its first opening and after each recovery. */
  static ContextArgs args(ContextSeat seat) {
    return new ContextArgs(
        OWNER_PID,
        seat.priority(),
        seat.memoryLimit(),
        seat.executionLimitUs(),
        0,
        0,
        seat.group());
  }
}
