package io.isle.tck;

import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** A Java driver. */
record JavaSubject(Driver driver) implements Subject {
  @Override
  public DriverInfo info() {
    return driver.info();
  }

  @Override
  public List<DeviceSeed> probe() {
    return driver.probe();
  }

  @Override
  public Opened open(DeviceSeed seed, Map<String, String> settings, Core core) {
    Arena arena = Arena.ofShared();
    MemorySegment commands = arena.allocate(Rig.COMMAND_BYTES, 4096);
    try {
      return new Opened(
          driver.open(seed, settings, core),
          commands,
          () -> {
            core.close();
            arena.close();
          });
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }
}
