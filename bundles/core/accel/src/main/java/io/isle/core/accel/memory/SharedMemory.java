package io.isle.core.accel.memory;

import io.isle.api.driver.DevicePort;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.Arena;

/**
 * What a place shares with its device's drivers over all openings: the command segment, which a
 * host can only read, and the core's doorbell. Memory is taken as pages are touched.
 */
public final class SharedMemory implements AutoCloseable {
  private static final long COMMAND_BYTES = 64L << 20;
  private static final long PAGE = 4096;

  // unmapped when nobody can reach it: a tenant may ring the doorbell of a device that is going
  private final Arena arena = Arena.ofAuto();
  private final MemoryFile commandFile = MemoryFile.create("isle-commands", COMMAND_BYTES);
  private final MemoryFile doorbellFile = MemoryFile.create("isle-doorbell", PAGE);
  private final DevicePort.Shared commands =
      new DevicePort.Shared(commandFile.map(arena), commandFile.descriptor());
  private final DevicePort.Shared doorbell =
      new DevicePort.Shared(doorbellFile.map(arena), doorbellFile.descriptor());

  public SharedMemory() {
    commandFile.seal(true);
    doorbellFile.seal(false);
  }

  public DevicePort.Shared commands() {
    return commands;
  }

  public DevicePort.Shared doorbell() {
    return doorbell;
  }

  /** Closes the descriptors; what is mapped stays mapped. */
  @Override
  public void close() {
    commandFile.close();
    doorbellFile.close();
  }
}
