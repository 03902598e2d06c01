package io.isle.core.drivers.driver;

import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import java.util.List;

/** A process of a driver of which nothing is seen but its number. */
public class FakeHost implements DriverProcess {
  private final long pid;

  public FakeHost(long pid) {
    this.pid = pid;
  }

  @Override
  public long pid() {
    return pid;
  }

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
    throw new DriverException(Errno.ENOTSUP, "the test ends it itself");
  }
}
