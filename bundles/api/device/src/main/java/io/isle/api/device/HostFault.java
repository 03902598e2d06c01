package io.isle.api.device;

/** Faults of a driver's process that are injected from outside. */
public enum HostFault {
  /** The process is killed, as by SIGKILL of another user. */
  KILL,
  /** The process is stopped and no longer answers, as a driver that hangs in all its threads. */
  STOP
}
