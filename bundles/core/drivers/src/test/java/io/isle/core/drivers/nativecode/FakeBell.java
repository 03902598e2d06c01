package io.isle.core.drivers.nativecode;

import io.isle.api.driver.DevicePort;
import io.isle.lib.shm.AgentBells;
import io.isle.lib.shm.ProcessBell;

/** A bell page as the core makes it. */
final class FakeBell implements DevicePort.Bell {
  private final AgentBells bells;
  private final ProcessBell bell = new ProcessBell();
  private boolean closed;

  FakeBell(AgentBells bells) {
    this.bells = bells;
  }

  @Override
  public DevicePort.Shared page() {
    return new DevicePort.Shared(bell.page(), bell.descriptor());
  }

  @Override
  public void listen() {
    boolean ignored = bells.add(bell);
  }

  @Override
  public void mute() {
    bells.remove(bell);
  }

  @Override
  public long wakes() {
    return bell.wakes();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      mute();
      bell.close();
    }
  }
}
