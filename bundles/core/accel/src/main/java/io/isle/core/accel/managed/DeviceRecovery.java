package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.agent.KeptWork;
import io.isle.core.accel.agent.WorkEnding;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.device.ControlLane;
import io.isle.core.accel.device.GroupDevices;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.submit.ExecutionContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Takes a device's opening out and brings the next one in, phase by phase (accelerator framework,
 * 42.3.2): contexts, memory and programs outlive it. One call at a time; may block.
 */
final class DeviceRecovery {
  private static final System.Logger LOG = System.getLogger(DeviceRecovery.class.getName());

  private final DeviceOpenings openings;
  private final DeviceEngine engine;
  private final DeviceContexts contexts;
  private final Supplier<AccelLimits> limits;
  private final Drain drain;
  private WorkEnding.Ended ended = WorkEnding.Ended.NONE;
  private OpenDevice rebuilt;

  /** The device that was asked last, for the next rebuild. */
  private final AtomicReference<OpenDevice> asked = new AtomicReference<>();

  /**
   * The agent did not come back from the driver, or failed at what it was told: nothing of its
   * state may be touched.
   */
  private volatile boolean stuck;

  DeviceRecovery(
      DeviceOpenings openings,
      DeviceEngine engine,
      DeviceContexts contexts,
      Supplier<AccelLimits> limits) {
    this.openings = openings;
    this.engine = engine;
    this.contexts = contexts;
    this.limits = limits;
    this.drain = new Drain(engine, contexts, limits, openings.currentOpening()::isAlive);
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#controlBound}. */
  Duration controlBound() {
    return Duration.ofMillis(limits.get().controlTimeoutMs());
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#pause}. */
  synchronized boolean pause(Duration bound) {
    return drain.run(bound);
  }

  synchronized void unpause() {
    // what was saved of a context that has left its device is for the next one
    contexts.list().stream().filter(ExecutionContext::usable).forEach(DeviceRecovery::settle);
    engine.unpause();
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#save}. */
  synchronized void save() {
    List<ExecutionContext> leaving = contexts.list();
    leaving.forEach(context -> context.record().depart());
    try {
      leaving.forEach(context -> context.memory().save());
    } catch (AccelException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: the contents of device memory are lost: {1}",
          openings.deviceId(),
          e);
    }
  }

  /**
   * See {@link io.isle.api.driver.DevicePort.Attachment#freeze}.
   *
   * @param lost the device that is taken away; null if there is none
   */
  synchronized void freeze(RecoveryCause cause, OpenDevice lost) {
    contexts.list().forEach(ExecutionContext::interrupt);
    ended = WorkEnding.Ended.NONE;
    rebuilt = null;
    // what follows, fail or lose, waits for the agent
    engine.post(() -> engine.setDevice(null));
    openings.groups().detachAll();
    if (lost != null) {
      LOG.log(
          System.Logger.Level.INFO,
          "{0} stops for a recovery or a close: {1}",
          openings.deviceId(),
          cause.text());
    }
  }

  /** Unless it is stuck; one that does not answer, or fails, is from now on. */
  private void tellAgent(Runnable operation) {
    try {
      if (!stuck) {
        engine.call(
            () -> {
              // once it is given up, what it is to do is lost with its contexts
              if (!stuck) {
                operation.run();
              }
            });
      }
    } catch (AccelException e) {
      stuck = true;
      LOG.log(System.Logger.Level.ERROR, "{0}: {1}", openings.deviceId(), e.getMessage());
    }
  }

  /** Ends the agent; one that is stuck is left behind, for it cannot be stopped. */
  synchronized void end() {
    engine.close(stuck);
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#fail}. */
  synchronized void fail(boolean keepPending) {
    List<ContextRecord> records = contexts.list().stream().map(ExecutionContext::record).toList();
    AtomicReference<WorkEnding.Ended> counts = new AtomicReference<>(WorkEnding.Ended.NONE);
    tellAgent(() -> counts.set(engine.ending().fail(records, keepPending)));
    ended = counts.get();
    if (stuck) {
      lose();
    }
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#ask}. */
  void ask(DevicePort.Opening opening) {
    asked.set(OpenDevice.asked(opening.device(), opening.epoch(), new ControlLane(opening.lane())));
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#rebuild}. */
  synchronized Recovery.Work rebuild(DevicePort.Opening opening) {
    drop();
    boolean done = false;
    try {
      comeBack();
      OpenDevice opened = taken(opening);
      openings.currentOpening().learn(opened);
      List<ExecutionContext> all = contexts.list();
      DeviceRebuild work = new DeviceRebuild(openings, opened);
      work.rebuild(
          all.stream()
              .filter(context -> context.record().state() == ContextState.State.INTERRUPTED)
              .toList());
      work.refused().forEach(this::refuse);
      AtomicLong kept = new AtomicLong();
      AtomicLong refused = new AtomicLong();
      engine.call(
          () -> {
            for (ExecutionContext context : all) {
              if (work.left().contains(context)) {
                engine.hold(context.record());
                continue;
              }
              boolean apart = GroupDevices.isApart(opened, context.record().group());
              engine
                  .hostGroups()
                  .set(context.record().index(), apart ? context.record().group() : null);
              KeptWork.Settled settled = engine.kept().settle(context);
              kept.addAndGet(settled.kept());
              refused.addAndGet(settled.refused());
            }
          });
      all.forEach(context -> context.memory().refreshLossy());
      rebuilt = opened;
      done = true;
      return new Recovery.Work(
          work.rebuilt(),
          ended.interrupted() + refused.get(),
          kept.get(),
          ended.replayed(),
          work.restored(),
          work.lost());
    } catch (AccelException e) {
      int code = e.code() == Errno.EINTR ? Errno.ENODEV : e.code();
      throw new DriverException(code, e.getMessage(), e);
    } finally {
      if (!done) {
        drop();
      }
    }
  }

  private OpenDevice taken(DevicePort.Opening opening) {
    OpenDevice opened = asked.getAndSet(null);
    if (opened == null || opened.device() != opening.device()) {
      throw new IllegalStateException(openings.deviceId() + ": the opened device was not prepared");
    }
    return opened;
  }

  private void refuse(ExecutionContext context, String why) {
    LOG.log(
        System.Logger.Level.WARNING,
        "{0}: context {1} is lost: {2}",
        openings.deviceId(),
        context.record().spec().name(),
        why);
    context.record().refused(why);
    engine.call(() -> engine.ending().forget(context.record(), -Errno.EINTR));
    lose(context);
  }

  /** The device that {@link #rebuild} prepared. */
  synchronized OpenDevice rebuilt() {
    if (rebuilt == null) {
      throw new IllegalStateException(openings.deviceId() + ": the device was not rebuilt");
    }
    return rebuilt;
  }

  /** Contexts take work again. */
  synchronized void resume() {
    rebuilt = null;
    for (ExecutionContext context : contexts.list()) {
      // what its group's process could not have yet is settled when that is there
      if (context.record().bound().isPresent()) {
        settle(context);
        context.record().resume();
      }
    }
    openings.groups().publishAll();
  }

  private static void settle(ExecutionContext context) {
    context.memory().settled();
    context.record().settle();
  }

  /** See {@link io.isle.api.driver.DevicePort.Attachment#lose}. */
  synchronized void lose() {
    drop();
    List<ExecutionContext> all = contexts.list();
    all.forEach(context -> context.record().lose());
    tellAgent(() -> engine.ending().loseAll());
    all.forEach(DeviceRecovery::lose);
  }

  private static void lose(ExecutionContext context) {
    context.record().lose();
    context.memory().lose();
    context.record().seal(-Errno.EINTR);
  }

  /** An agent that was stuck may have come back; one that failed starts again. */
  private void comeBack() {
    if (stuck) {
      engine.call(() -> engine.ending().loseAll());
      stuck = false;
    }
    engine.restart();
  }

  /** Nothing is rebuilt: contexts wait for the next device. */
  private void drop() {
    rebuilt = null;
    openings.groups().detachAll();
    contexts.list().forEach(ExecutionContext::unbind);
  }
}
