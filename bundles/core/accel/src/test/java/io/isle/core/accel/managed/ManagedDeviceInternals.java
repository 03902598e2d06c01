package io.isle.core.accel.managed;

import io.isle.core.accel.fence.FenceDevice;

/** Internals of a managed device that tests of the whole look at. */
public final class ManagedDeviceInternals {
  private ManagedDeviceInternals() {}

  public static boolean isPaused(ManagedDevice device) {
    return device.engine().isPaused();
  }

  public static boolean writesJournal(ManagedDevice device) {
    return !device.journal().isFree();
  }

  public static FenceDevice fence(ManagedDevice device) {
    return device.fence();
  }
}
