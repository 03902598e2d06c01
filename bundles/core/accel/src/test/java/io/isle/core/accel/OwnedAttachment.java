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

/**
 * An attachment together with the work of its owner, who makes the lane of each opening and ends
 * it.
 */
public final class OwnedAttachment implements DevicePort.Attachment {
  private final DevicePort.Attachment attachment;
  private volatile Consumer<RecoveryCause> failure = cause -> {};
  private volatile BiConsumer<String, RecoveryCause> groupFailure = (group, cause) -> {};
  private TestLane lane;
  private GroupedScript groups;

  public OwnedAttachment(DevicePort.Attachment attachment) {
    this.attachment = attachment;
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
    attachment.ask(opening);
  }

  @Override
  public Recovery.Work rebuild(DevicePort.Opening opening) {
    boolean done = false;
    try {
      opening.lane().run("open", () -> ask(opening));
      Recovery.Work work = attachment.rebuild(opening);
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
    attachment.freeze(cause);
    abort();
  }

  @Override
  public void interrupt(String group, RecoveryCause cause) {
    attachment.interrupt(group, cause);
    groups.abort(group);
  }

  /** Until its contexts go on. */
  @Override
  public Recovery.Work renew(String group) {
    Recovery.Work work = attachment.renew(group);
    attachment.thaw(group);
    return work;
  }

  @Override
  public void thaw(String group) {
    attachment.thaw(group);
  }

  @Override
  public void onFailure(Consumer<RecoveryCause> listener) {
    failure = listener;
    attachment.onFailure(listener);
  }

  @Override
  public void onGroupFailure(BiConsumer<String, RecoveryCause> listener) {
    groupFailure = listener;
    attachment.onGroupFailure(listener);
  }

  @Override
  public DevicePort.Shared commands() {
    return attachment.commands();
  }

  @Override
  public DevicePort.Shared agent() {
    return attachment.agent();
  }

  @Override
  public DevicePort.Bell newBell() {
    return attachment.newBell();
  }

  @Override
  public Duration controlBound() {
    return attachment.controlBound();
  }

  @Override
  public CompletionSink completions() {
    return attachment.completions();
  }

  @Override
  public void started(long tag, long ns) {
    attachment.started(tag, ns);
  }

  @Override
  public void lose(String group, String why) {
    attachment.lose(group, why);
  }

  @Override
  public boolean pause(Duration bound) {
    return attachment.pause(bound);
  }

  @Override
  public void unpause() {
    attachment.unpause();
  }

  @Override
  public void save() {
    attachment.save();
  }

  @Override
  public void fail(boolean keepPending) {
    attachment.fail(keepPending);
  }

  @Override
  public void thaw() {
    attachment.thaw();
  }

  @Override
  public void lose(String why) {
    attachment.lose(why);
  }

  @Override
  public void detach(String why) {
    attachment.detach(why);
  }

  @Override
  public void close() {
    attachment.close();
    abort();
  }
}
