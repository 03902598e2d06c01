package io.isle.api.device;

/** What can be done to the process of a device's driver from outside. */
public enum HostFault {
  /** It is killed, as by SIGKILL of another user. */
  KILL,
  /** It is stopped and answers nothing any more, as a driver that hangs in all its threads. */
  STOP
}
