package io.isle.core.accel.managed;

import io.isle.api.base.Errno;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.lib.shm.AgentBells;
import io.isle.lib.shm.ProcessBell;

/** The bell page of one process of a driver, on which the device's agent sleeps too. */
final class DriverBell implements DevicePort.Bell {
  private final AgentBells bells;
  private final ProcessBell bell = new ProcessBell();
  private final DevicePort.Shared page = new DevicePort.Shared(bell.page(), bell.descriptor());
  private boolean closed;

  DriverBell(AgentBells bells) {
    this.bells = bells;
  }

  @Override
  public DevicePort.Shared page() {
    return page;
  }

  @Override
  public void listen() {
    if (!bells.add(bell)) {
      throw new DriverException(
          Errno.ENOSPC,
          "the device's agent listens to "
              + AgentBells.MOST_PROCESSES
              + " driver processes, the most that one agent can serve");
    }
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
