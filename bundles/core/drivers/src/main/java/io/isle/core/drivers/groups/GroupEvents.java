package io.isle.core.drivers.groups;

import io.isle.api.device.RecoveryCause;

/** Hears of the processes of groups of one device, each time with its opening. Any thread. */
public interface GroupEvents {
  /**
   * A process of a group is to be started.
   *
   * @throws io.isle.api.driver.DriverException EAGAIN while the group gets none
   */
  void admit(String group);

  /** A process ended by itself. */
  void lost(int opening, GroupHost host, RecoveryCause cause);

  /** A control call of a process did not return, or said that its device is gone. */
  void unusable(int opening, GroupHost host, RecoveryCause cause);

  /** The core finds the process of a group unusable. */
  void failed(int opening, String group, RecoveryCause cause);

  /** Processes came or went. */
  void changed(int opening);
}
