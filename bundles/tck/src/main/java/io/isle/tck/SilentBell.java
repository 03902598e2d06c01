package io.isle.tck;

import io.isle.api.driver.DevicePort;
import io.isle.lib.shm.ProcessBell;

/** A bell that nobody listens to: the suite asks for completions. */
final class SilentBell implements DevicePort.Bell {
  private final ProcessBell bell = new ProcessBell();
  private boolean closed;

  @Override
  public DevicePort.Shared page() {
    return new DevicePort.Shared(bell.page(), bell.descriptor());
  }

  @Override
  public void listen() {}

  @Override
  public void mute() {}

  @Override
  public long wakes() {
    return 0;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      bell.close();
    }
  }
}
