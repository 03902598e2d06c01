package io.isle.net.xdp.configure;

import io.isle.api.net.ConfigureStage;
import io.isle.api.net.NetException;
import java.util.Optional;

/**
 * A setting of an interface. Calls are made on a thread inside the interface's network namespace.
 */
interface Knob {
  /**
   * A value as it is.
   *
   * @param is empty where the setting does not exist
   * @param persistent whether a restart of the machine sets the same value
   * @param unsupported what lacks the setting, or does not let it change
   */
  record Reading(String is, boolean persistent, Optional<String> unsupported) {}

  /** The part that it belongs to. */
  ConfigureStage stage();

  /** The interface that has it. */
  String interfaceName();

  /** Its name, as sysctl and ethtool say it. */
  String setting();

  /** The value for nets. */
  String wanted();

  /** The value now. */
  Reading read();

  /**
   * Changes the value.
   *
   * @throws NetException EPERM and others, with the setting
   */
  void write(String value);
}
