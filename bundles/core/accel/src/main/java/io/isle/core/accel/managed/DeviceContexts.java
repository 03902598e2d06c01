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
import io.isle.core.accel.context.ContextRecord;
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
  private final ContextRecords records;
  private final GroupMembers members;
  private final AuditTrail audit;
  private final Supplier<AccelLimits> limits;

  /**
   * @param limits name the longest wait for work in flight when a context is closed
   */
  DeviceContexts(
      DeviceOpenings openings,
      DeviceEngine engine,
      ContextRecords records,
      GroupMembers members,
      AuditTrail audit,
      Supplier<AccelLimits> limits) {
    this.openings = openings;
    this.engine = engine;
    this.records = records;
    this.members = members;
    this.audit = audit;
    this.limits = limits;
  }

  List<ExecutionContext> list() {
    return records.list();
  }

  ExecutionContext open(OpenDevice device, Accelerator accelerator, Membership membership) {
    ExecutionContext context = records.reserve(device, accelerator, membership, this);
    ContextRecord record = context.record();
    OpenDevice created = null;
    boolean entered = false;
    AtomicBoolean opened = new AtomicBoolean();
    try {
      if (!members.enter(membership, context)) {
        throw new AccelException(Errno.EBUSY, "group " + membership.group() + " is being deleted");
      }
      OpenDevice on = openings.groups().enter(device, record.group());
      entered = true;
      on.lane().run("create context", () -> on.device().createContext(record.id(), args(record)));
      created = on;
      AtomicBoolean current = new AtomicBoolean();
      boolean there =
          openings
              .currentOpening()
              .whileOpen(
                  device,
                  () -> {
                    if (openings.groups().isCurrent(device, on, record.group())) {
                      engine.call(() -> engine.open(record, on == device ? null : record.group()));
                      current.set(true);
                      opened.set(record.opened(on));
                    }
                  });
      if (!there || !current.get()) {
        throw new AccelException(
            Errno.EINTR, openings.deviceId() + " recovers; try again in a moment");
      }
      if (!opened.get()) {
        throw new AccelException(
            Errno.ECLOSED,
            "context " + record.spec().name() + " was closed while it was being opened");
      }
      return context;
    } finally {
      if (!opened.get()) {
        abandon(context, created, entered);
      }
    }
  }

  private void abandon(ExecutionContext context, OpenDevice created, boolean entered) {
    ContextRecord record = context.record();
    var ignored = record.close();
    try {
      if (created != null) {
        destroyQuietly(record, created);
      }
      engine.call(() -> engine.ending().forget(record, -Errno.ECLOSED));
    } finally {
      try {
        record.seal(-Errno.ECLOSED);
        records.release(context);
        if (entered) {
          openings.groups().leave(record.group());
        }
      } finally {
        members.leave(record.membership());
      }
    }
  }

  @Override
  public void close(ExecutionContext context) {
    ContextRecord record = context.record();
    begin(
            context,
            false,
            () ->
                AuditTrail.tenant(
                        "context.close",
                        record.capability().tenant(),
                        record.capability().id(),
                        openings.deviceId())
                    .object(Ids.text(record.id()))
                    .detail(record.spec().name()))
        .run();
  }

  @Override
  public Runnable evict(ExecutionContext context, String why) {
    ContextRecord record = context.record();
    record.evicted(why);
    return begin(
        context,
        true,
        () ->
            AuditEvent.of(Actor.current(), "context.evict")
                .device(openings.deviceId())
                .object(Ids.text(record.id()))
                .detail(record.spec().name() + " of " + record.capability().tenant() + ": " + why));
  }

  /**
   * Takes no more work, and ends what waits.
   *
   * @param soon work in flight is not let end by itself
   * @return the rest
   */
  private Runnable begin(ExecutionContext context, boolean soon, Supplier<AuditEvent> event) {
    ContextRecord record = context.record();
    ContextState.Closing found = record.close();
    if (found.before() == ContextState.State.NEW) {
      // Whoever opens it finds it closed and takes it back: until then its record is not free.
      return () -> {};
    }
    if (found.before() == ContextState.State.CLOSED) {
      return () -> {
        long boundNs =
            TimeUnit.MILLISECONDS.toNanos(CLOSING_CALLS * limits.get().controlTimeoutMs());
        var ignored = Awaiting.await(record, record.queue().timeline.submitted(), boundNs);
      };
    }
    audit.record(event.get());
    // null: there is nothing to be done on a device
    OpenDevice device = found.device();
    boolean begun = false;
    try {
      if (found.before() != ContextState.State.LOST) {
        engine.call(() -> engine.ending().close(record, -Errno.ECLOSED));
        if (device != null && soon) {
          engine.call(() -> engine.evict(record, -Errno.ECLOSED));
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
          finish(record, device, asked);
        }
      } finally {
        over(context);
      }
    };
  }

  private void over(ExecutionContext context) {
    ContextRecord record = context.record();
    try {
      record.seal(-Errno.ECLOSED);
      Notifier notifier = record.queue().notifier;
      if (notifier != null) {
        notifier.stop();
      }
      context.memory().end();
      context.programs().end();
      records.release(context);
      openings.groups().leave(record.group());
    } finally {
      members.leave(record.membership());
    }
  }

  void closeAll() {
    list().forEach(ExecutionContext::closeAnyway);
  }

  /**
   * @param device that has the context; null while the device recovers
   * @param askedNs since when nothing of it starts
   */
  private void finish(ContextRecord record, OpenDevice device, long askedNs) {
    if (device != null) {
      long drainNs = TimeUnit.MILLISECONDS.toNanos(limits.get().controlTimeoutMs());
      long leftNs = Math.max(0, drainNs - (System.nanoTime() - askedNs));
      if (Awaiting.await(record, record.queue().timeline.submitted(), leftNs) == -Errno.ETIME) {
        engine.call(() -> engine.ending().stopWith(record, -Errno.ECLOSED));
      }
      destroyQuietly(record, device);
    }
    engine.call(() -> engine.ending().forget(record, -Errno.ECLOSED));
  }

  private void destroyQuietly(ContextRecord record, OpenDevice device) {
    try {
      device.lane().run("destroy context", () -> device.device().destroyContext(record.id()));
    } catch (AccelException e) {
      // A device that is gone has no contexts.
      if (e.code() != Errno.EINTR) {
        LOG.log(System.Logger.Level.WARNING, e.getMessage());
      }
    }
  }

  /** What a driver is told of a context, at its first opening and after each recovery. */
  static ContextArgs args(ContextRecord record) {
    return new ContextArgs(
        OWNER_PID,
        record.priority(),
        record.memoryLimit(),
        record.executionLimitUs(),
        0,
        0,
        record.group());
  }
}
