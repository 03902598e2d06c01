package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.agent.KeptWork;
import io.isle.core.accel.agent.WorkEnding;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.submit.ExecutionContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Takes the process of one group from its contexts and brings the next one in, while the device
 * stays open and the contexts of other groups go on. One call at a time, and none while {@link
 * DeviceRecovery} is at work; may block.
 */
final class GroupRecovery {
  private static final System.Logger LOG = System.getLogger(GroupRecovery.class.getName());

  private final DeviceOpenings openings;
  private final DeviceEngine engine;
  private final DeviceContexts contexts;

  /** By group, what its interruption ended; until it is renewed or lost. */
  private final Map<String, WorkEnding.Ended> ended = new HashMap<>();

  GroupRecovery(DeviceOpenings openings, DeviceEngine engine, DeviceContexts contexts) {
    this.openings = openings;
    this.engine = engine;
    this.contexts = contexts;
  }

  private List<ExecutionContext> of(String group) {
    return contexts.list().stream()
        .filter(context -> context.record().group().equals(group))
        .toList();
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#interrupt}. */
  synchronized void interrupt(String group, RecoveryCause cause) {
    LOG.log(
        System.Logger.Level.INFO,
        "{0}: group {1} loses its driver process: {2}",
        openings.deviceId(),
        group,
        cause.text());
    // from here on no context of it is opened: one that is on its way finds that it came too late
    openings.currentOpening().excluding(() -> openings.groups().detach(group));
    List<ExecutionContext> mine = of(group);
    mine.forEach(ExecutionContext::interrupt);
    List<ContextRecord> records = mine.stream().map(ExecutionContext::record).toList();
    AtomicReference<WorkEnding.Ended> counts = new AtomicReference<>(WorkEnding.Ended.NONE);
    told(
        () -> {
          counts.set(engine.ending().failOnly(records));
          records.forEach(engine::hold);
        });
    ended.merge(group, counts.get(), WorkEnding.Ended::plus);
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#renew}. */
  synchronized Recovery.Work renew(String group) {
    OpenDevice fresh = null;
    try {
      OpenDevice root = openings.currentOpening().device();
      fresh = openings.groups().reopen(root, group);
      List<ExecutionContext> mine = of(group);
      ContextRebuild work = new ContextRebuild(fresh);
      work.rebuild(mine.stream().filter(GroupRecovery::waits).toList());
      work.refused().forEach(this::refuse);
      AtomicLong kept = new AtomicLong();
      AtomicLong refused = new AtomicLong();
      engine.call(
          () -> {
            for (ExecutionContext context : mine) {
              engine.hostGroups().set(context.record().index(), group);
              KeptWork.Settled settled = engine.kept().settle(context);
              kept.addAndGet(settled.kept());
              refused.addAndGet(settled.refused());
            }
          });
      mine.forEach(context -> context.memory().refreshLossy());
      WorkEnding.Ended counts = ended.getOrDefault(group, WorkEnding.Ended.NONE);
      return new Recovery.Work(
          work.rebuilt(),
          counts.interrupted() + refused.get(),
          kept.get(),
          counts.replayed(),
          work.restored(),
          work.lost());
    } catch (AccelException e) {
      if (fresh != null) {
        drop(group);
      }
      throw failure(e);
    }
  }

  /** Its contexts wait for the next process. */
  private void drop(String group) {
    openings.groups().detach(group);
    of(group).forEach(ExecutionContext::unbind);
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#thaw(String)}. */
  synchronized void thaw(String group) {
    try {
      // one that could not be bound has come since, and finds that it came too late
      resume(
          group,
          of(group).stream().filter(context -> context.record().bound().isPresent()).toList());
    } catch (AccelException e) {
      drop(group);
      throw failure(e);
    }
    ended.remove(group);
  }

  private static boolean waits(ExecutionContext context) {
    return context.record().state() == ContextState.State.INTERRUPTED;
  }

  private void resume(String group, List<ExecutionContext> mine) {
    for (ExecutionContext context : mine) {
      context.memory().settled();
      context.record().settle();
      context.record().resume();
    }
    engine.call(() -> mine.forEach(context -> engine.release(context.record())));
    openings.groups().publish(group);
  }

  private void refuse(ExecutionContext context, String why) {
    LOG.log(
        System.Logger.Level.WARNING,
        "{0}: context {1} is lost: {2}",
        openings.deviceId(),
        context.record().spec().name(),
        why);
    context.record().refused(why);
    end(context);
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#lose(String, String)}. */
  synchronized void lose(String group, String why) {
    ended.remove(group);
    for (ExecutionContext context : of(group)) {
      if (waits(context)) {
        context.record().lostFor(why);
        end(context);
      }
    }
    openings.groups().publish(group);
  }

  private void end(ExecutionContext context) {
    ContextRecord record = context.record();
    record.lose();
    told(() -> engine.ending().forget(record, -Errno.EINTR));
    context.memory().lose();
    record.seal(-Errno.EINTR);
  }

  /** Whatever was interrupted is part of a recovery of the whole device now. */
  synchronized void forget() {
    ended.clear();
  }

  private void told(Runnable operation) {
    try {
      engine.call(operation);
    } catch (AccelException e) {
      throw failure(e);
    }
  }

  private static DriverException failure(AccelException e) {
    int code = e.code() == Errno.EINTR ? Errno.ENODEV : e.code();
    return new DriverException(code, e.getMessage(), e);
  }
}
