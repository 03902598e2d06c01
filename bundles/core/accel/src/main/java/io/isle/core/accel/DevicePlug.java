package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.device.FailureReport;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.StartTimes;
import io.isle.core.accel.memory.SharedMemory;
import io.isle.core.accel.settings.AccelLimits;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A device's place as the owner of drivers has it: puts devices in and takes them out. */
final class DevicePlug implements DevicePort.Plug {
  private static final System.Logger LOG = System.getLogger(DevicePlug.class.getName());

  private final DevicePlace place;
  private final SharedMemory shared;
  private final DeviceEngine engine;
  private final StartTimes starts;
  private final FailureReport failures;
  private final PlaceRecovery recovery;
  private final GroupRecovery groupRecovery;
  private final Runnable detached;
  private final Runnable closed;

  /**
   * @param detached called when the owner of drivers lets go
   * @param closed called once the place is gone
   */
  DevicePlug(
      DevicePlace place,
      SharedMemory shared,
      DeviceEngine engine,
      PlaceContexts contexts,
      Supplier<AccelLimits> limits,
      FailureReport failures,
      Runnable detached,
      Runnable closed) {
    this.place = place;
    this.shared = shared;
    this.engine = engine;
    this.starts = engine.starts();
    this.failures = failures;
    this.recovery = new PlaceRecovery(place, engine, contexts, limits, failures::failed);
    this.groupRecovery = new GroupRecovery(place, engine, contexts);
    this.detached = detached;
    this.closed = closed;
  }

  @Override
  public DevicePort.Shared commands() {
    return shared.commands();
  }

  @Override
  public DevicePort.Shared agent() {
    return shared.agent();
  }

  @Override
  public DevicePort.Bell newBell() {
    return new DriverBell(engine.bells());
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
    place.groups().listen(listener);
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
    recovery.freeze(cause, place.occupancy().take());
  }

  @Override
  public void fail(boolean keepPending) {
    recovery.fail(keepPending);
  }

  @Override
  public Recovery.Work rebuild(AccelDevice device, int epoch) {
    return recovery.rebuild(device, epoch);
  }

  @Override
  public void thaw() {
    OpenDevice opened = recovery.rebuilt();
    failures.open(true);
    if (engine.isDown()) {
      // it failed when nobody was to be told
      throw new DriverException(Errno.EIO, place.deviceId() + ": its agent failed by a defect");
    }
    place.fence().opened(opened.fenceSupport());
    engine.post(() -> engine.setDevice(opened));
    place.occupancy().put(opened);
    recovery.resume();
    place.groups().tellDeferred();
  }

  @Override
  public void lose(String why) {
    place.occupancy().lose(why);
    LOG.log(System.Logger.Level.INFO, "{0} is lost: {1}", place.deviceId(), why);
    recovery.lose();
  }

  @Override
  public void detach(String why) {
    failures.listen(cause -> {});
    place.groups().listen((group, cause) -> {});
    detached.run();
  }

  @Override
  public void close() {
    try {
      freeze(new RecoveryCause(RecoveryCause.Kind.SERVICE, "it was unplugged"));
      lose("it was unplugged");
    } finally {
      try {
        place.callbacks().close();
      } finally {
        try {
          recovery.end(shared::close);
        } finally {
          place.fences().forget(place.fence());
          closed.run();
        }
      }
    }
  }
}
