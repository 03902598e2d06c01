package io.isle.core.accel.managed;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.context.DeviceServices;
import io.isle.core.accel.device.FailureReport;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.StartTimes;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A managed device as the owner of drivers uses it: puts openings in and takes them out. */
public final class DeviceAttachment implements DevicePort.Attachment {
  private static final System.Logger LOG = System.getLogger(DeviceAttachment.class.getName());

  /**
   * Actions at the end of an attachment.
   *
   * @param detached called when the owner of drivers lets go
   * @param closed called once the managed device is closed
   */
  public record Ending(Runnable detached, Runnable closed) {}

  private final DeviceOpenings openings;
  private final DeviceServices services;
  private final DeviceEngine engine;
  private final StartTimes starts;
  private final FailureReport failures;
  private final DeviceRecovery recovery;
  private final GroupRecovery groupRecovery;
  private final Ending ending;

  /**
   * @param failures tells the owner of drivers
   */
  DeviceAttachment(
      DeviceOpenings openings,
      DeviceServices services,
      DeviceEngine engine,
      DeviceRecovery recovery,
      GroupRecovery groupRecovery,
      FailureReport failures,
      Ending ending) {
    this.openings = openings;
    this.services = services;
    this.engine = engine;
    this.starts = engine.starts();
    this.recovery = recovery;
    this.groupRecovery = groupRecovery;
    this.failures = failures;
    this.ending = ending;
  }

  @Override
  public DevicePort.Shared commands() {
    return engine.shared().commands();
  }

  @Override
  public DevicePort.Shared agent() {
    return engine.shared().agent();
  }

  @Override
  public DevicePort.Bell newBell() {
    return new DriverBell(engine.bells());
  }

  @Override
  public Duration controlBound() {
    return recovery.controlBound();
  }

  @Override
  public CompletionSink completions() {
    return engine.completions();
  }

  @Override
  public void started(long tag, long ns) {
    starts.started(tag, ns);
  }

  @Override
  public void onFailure(Consumer<RecoveryCause> listener) {
    failures.listen(listener);
  }

  @Override
  public void onGroupFailure(BiConsumer<String, RecoveryCause> listener) {
    openings.groups().listen(listener);
  }

  @Override
  public void interrupt(String group, RecoveryCause cause) {
    groupRecovery.interrupt(group, cause);
  }

  @Override
  public Recovery.Work renew(String group) {
    return groupRecovery.renew(group);
  }

  @Override
  public void thaw(String group) {
    groupRecovery.thaw(group);
  }

  @Override
  public void lose(String group, String why) {
    groupRecovery.lose(group, why);
  }

  @Override
  public boolean pause(Duration bound) {
    return recovery.pause(bound);
  }

  @Override
  public void unpause() {
    recovery.unpause();
  }

  @Override
  public void save() {
    recovery.save();
  }

  @Override
  public void freeze(RecoveryCause cause) {
    failures.open(false);
    groupRecovery.forget();
    recovery.freeze(cause, openings.currentOpening().take());
  }

  @Override
  public void fail(boolean keepPending) {
    recovery.fail(keepPending);
  }

  @Override
  public void ask(DevicePort.Opening opening) {
    recovery.ask(opening);
  }

  @Override
  public Recovery.Work rebuild(DevicePort.Opening opening) {
    return recovery.rebuild(opening);
  }

  @Override
  public void thaw() {
    OpenDevice opened = recovery.rebuilt();
    failures.open(true);
    if (engine.isDown()) {
      // it failed when nobody was to be told
      throw new DriverException(
          Errno.EIO, openings.deviceId() + ": the device's agent failed because of a defect");
    }
    services.fence().opened(opened.fenceSupport());
    engine.post(() -> engine.setDevice(opened));
    openings.currentOpening().put(opened);
    recovery.resume();
    openings.groups().tellDeferred();
  }

  @Override
  public void lose(String why) {
    openings.currentOpening().lose(why);
    LOG.log(System.Logger.Level.INFO, "{0} is lost: {1}", openings.deviceId(), why);
    recovery.lose();
  }

  @Override
  public void detach(String why) {
    failures.listen(cause -> {});
    openings.groups().listen((group, cause) -> {});
    ending.detached().run();
  }

  @Override
  public void close() {
    try {
      freeze(new RecoveryCause(RecoveryCause.Kind.SERVICE, "the device was detached"));
      lose("the device was detached");
    } finally {
      try {
        services.callbacks().close();
      } finally {
        try {
          recovery.end();
        } finally {
          ending.closed().run();
        }
      }
    }
  }
}
