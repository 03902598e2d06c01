package io.isle.core.drivers.supervision;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.core.drivers.nativecode.FakeAttachment;
import java.time.Duration;
import java.util.function.Consumer;

/** An attachment that tells of each call. */
final class RecordingAttachment extends FakeAttachment {
  private final Consumer<String> calls;

  RecordingAttachment(Consumer<String> calls) {
    this.calls = calls;
  }

  @Override
  public boolean pause(Duration bound) {
    calls.accept("pause");
    return super.pause(bound);
  }

  @Override
  public void unpause() {
    calls.accept("unpause");
  }

  @Override
  public void save() {
    calls.accept("save");
  }

  @Override
  public void freeze(RecoveryCause cause) {
    calls.accept("freeze " + cause.kind().text());
  }

  @Override
  public void fail(boolean keepPending) {
    calls.accept(keepPending ? "fail, keeping" : "fail");
  }

  @Override
  public Recovery.Work rebuild(DevicePort.Opening opening) {
    calls.accept("rebuild " + opening.epoch());
    return super.rebuild(opening);
  }

  @Override
  public void interrupt(String group, RecoveryCause cause) {
    calls.accept("interrupt " + group + " " + cause.kind().text());
  }

  @Override
  public Recovery.Work renew(String group) {
    calls.accept("renew " + group);
    return super.renew(group);
  }

  @Override
  public void thaw(String group) {
    calls.accept("thaw " + group);
  }

  @Override
  public void lose(String group, String why) {
    calls.accept("lose " + group + ": " + why);
  }

  @Override
  public void thaw() {
    calls.accept("thaw");
  }

  @Override
  public void lose(String why) {
    calls.accept("lose");
  }

  @Override
  public void detach(String why) {
    calls.accept("detach");
  }

  @Override
  public void close() {
    calls.accept("close");
    super.close();
  }
}
