package io.isle.core.drivers.driver;

import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import java.util.List;

/** A process that runs a driver, for whoever watches over it. Thread-safe. */
public interface DriverProcess {
  long pid();

  /** Whether kernels are code of this process, as the driver says. */
  boolean runsKernels();

  /** What confines it, a line each. */
  List<String> sandbox();

  /** Steps of the driver's data thread; odd while it is inside the driver. */
  long heartbeat();

  /** Whether requests lie there that the driver has not taken. */
  boolean requestsWait();

  /**
   * Asks for a sign of life, which the heartbeat gives, if a control call waits for an answer or
   * work is not completed.
   *
   * @return whether one of both holds
   */
  boolean probe();

  /** Gives it up: it is ended, and the cause reported as its end. */
  void abandon(RecoveryCause cause);

  /**
   * Harms it; returns when it is ended or stands still.
   *
   * @throws DriverException ENODEV when it has ended already
   */
  void injectFault(HostFault fault);
}
