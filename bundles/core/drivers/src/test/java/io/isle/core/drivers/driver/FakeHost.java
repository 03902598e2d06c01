package io.isle.core.drivers.driver;

import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import java.util.List;

/** A process of a driver that nobody has to watch. */
record FakeHost(long pid) implements DriverProcess {
  @Override
  public boolean runsKernels() {
    return false;
  }

  @Override
  public List<String> sandbox() {
    return List.of();
  }

  @Override
  public long heartbeat() {
    return 0;
  }

  @Override
  public boolean requestsWait() {
    return false;
  }

  @Override
  public boolean probe() {
    return false;
  }

  @Override
  public void abandon(RecoveryCause cause) {}

  @Override
  public void injectFault(HostFault fault) {
    throw new DriverException(Errno.ENOTSUP, "none");
  }
}
