package io.isle.core.drivers.groups;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.session.DeviceLane;
import java.time.Duration;
import java.util.function.Consumer;

/** How a process of a group is had, and who hears of it. */
public interface HostParts {
  /**
   * A process that has the device open.
   *
   * @param warm it was the standby
   */
  record Started(OpenedDevice opened, boolean warm) {}

  /**
   * Starts a process and opens the device in it.
   *
   * @param lost hears once, on any thread, when it ends by itself
   */
  Started start(OwnCompletions completions, Consumer<RecoveryCause> lost);

  /** Where its completions go. */
  OwnCompletions completions();

  /** A control lane for a process that is to be started. */
  DeviceLane lane(GroupHost host);

  /** Ends a process; returns when the driver reaches nothing any more. */
  void end(OpenedDevice process, boolean orderly);

  /**
   * @throws DriverException while the group gets no process
   */
  void admit(String group);

  /** A process ended by itself; any thread. */
  void lost(GroupHost host, RecoveryCause cause);

  /** Processes came or went; any thread. */
  void changed();

  void after(Duration delay, Runnable work);

  /** False when it was not taken. */
  boolean execute(Runnable work);
}
