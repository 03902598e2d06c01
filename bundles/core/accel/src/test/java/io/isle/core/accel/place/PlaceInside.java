package io.isle.core.accel.place;

import io.isle.core.accel.fence.FenceDevice;

/** What tests of the whole look at within a place. */
public final class PlaceInside {
  private PlaceInside() {}

  public static boolean isPaused(DevicePlace place) {
    return place.engine().isPaused();
  }

  public static boolean writesJournal(DevicePlace place) {
    return !place.journal().isFree();
  }

  public static FenceDevice fence(DevicePlace place) {
    return place.fence();
  }
}
