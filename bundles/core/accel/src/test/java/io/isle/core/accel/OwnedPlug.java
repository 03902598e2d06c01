package io.isle.core.accel;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A place with what its owner does: makes the lane of each opening, and ends it. */
public final class OwnedPlug implements DevicePort.Plug {
  private final DevicePort.Plug place;
  private volatile Consumer<RecoveryCause> failure = cause -> {};
  private volatile BiConsumer<String, RecoveryCause> groupFailure = (group, cause) -> {};
  private TestLane lane;
  private GroupedScript groups;

  public OwnedPlug(DevicePort.Plug place) {
    this.place = place;
  }

  /** As {@link #rebuild(DevicePort.Opening)}, on a lane of its own. */
  public Recovery.Work rebuild(AccelDevice device, int epoch) {
    AtomicBoolean told = new AtomicBoolean();
    lane =
        new TestLane(
            "sim0",
            device::alive,
            controlBound(),
            cause -> {
              if (told.compareAndSet(false, true)) {
                Thread.ofVirtual().start(() -> failure.accept(cause));
              }
            });
    groups = device instanceof GroupedScript grouped ? grouped : null;
    if (groups != null) {
      groups.isOn(epoch, controlBound(), (group, cause) -> groupFailure.accept(group, cause));
    }
    return rebuild(new DevicePort.Opening(device, epoch, lane));
  }

  @Override
  public void ask(DevicePort.Opening opening) {
    place.ask(opening);
  }

  @Override
  public Recovery.Work rebuild(DevicePort.Opening opening) {
    boolean done = false;
    try {
      opening.lane().run("open", () -> ask(opening));
      Recovery.Work work = place.rebuild(opening);
      done = true;
      return work;
    } finally {
      if (!done) {
        abort();
      }
    }
  }

  /** The device is taken away. */
  void abort() {
    if (lane != null) {
      lane.abort();
    }
    if (groups != null) {
      groups.abortAll();
    }
  }

  @Override
  public void freeze(RecoveryCause cause) {
    place.freeze(cause);
    abort();
  }

  @Override
  public void interrupt(String group, RecoveryCause cause) {
    place.interrupt(group, cause);
    groups.abort(group);
  }

  /** Until its contexts go on. */
  @Override
  public Recovery.Work renew(String group) {
    Recovery.Work work = place.renew(group);
    place.thaw(group);
    return work;
  }

  @Override
  public void thaw(String group) {
    place.thaw(group);
  }

  @Override
  public void onFailure(Consumer<RecoveryCause> listener) {
    failure = listener;
    place.onFailure(listener);
  }

  @Override
  public void onGroupFailure(BiConsumer<String, RecoveryCause> listener) {
    groupFailure = listener;
    place.onGroupFailure(listener);
  }

  @Override
  public DevicePort.Shared commands() {
    return place.commands();
  }

  @Override
  public DevicePort.Shared agent() {
    return place.agent();
  }

  @Override
  public DevicePort.Bell newBell() {
    return place.newBell();
  }

  @Override
  public Duration controlBound() {
    return place.controlBound();
  }

  @Override
  public CompletionSink completions() {
    return place.completions();
  }

  @Override
  public void started(long tag, long ns) {
    place.started(tag, ns);
  }

  @Override
  public void lose(String group, String why) {
    place.lose(group, why);
  }

  @Override
  public boolean pause(Duration bound) {
    return place.pause(bound);
  }

  @Override
  public void unpause() {
    place.unpause();
  }

  @Override
  public void save() {
    place.save();
  }

  @Override
  public void fail(boolean keepPending) {
    place.fail(keepPending);
  }

  @Override
  public void thaw() {
    place.thaw();
  }

  @Override
  public void lose(String why) {
    place.lose(why);
  }

  @Override
  public void detach(String why) {
    place.detach(why);
  }

  @Override
  public void close() {
    place.close();
    abort();
  }
}
