package io.isle.core.drivers.nativecode;

import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What the core shares with a device's driver over all its openings: the command segment, which a
 * host can only read, and the core's doorbell. Memory is taken as pages are touched.
 */
public final class DeviceMemory implements AutoCloseable {
  private static final long COMMAND_BYTES = 64L << 20;
  private static final long PAGE = 4096;

  // unmapped when nobody can reach it: a tenant may ring the doorbell of a device that is going
  private final Arena arena = Arena.ofAuto();
  private final MemoryFile commandFile = MemoryFile.create("isle-commands", COMMAND_BYTES);
  private final MemoryFile doorbellFile = MemoryFile.create("isle-doorbell", PAGE);
  private final MemorySegment commands = commandFile.map(arena);
  private final MemorySegment doorbell = doorbellFile.map(arena);

  public DeviceMemory() {
    commandFile.seal(true);
    doorbellFile.seal(false);
  }

  public MemorySegment commands() {
    return commands;
  }

  public MemorySegment doorbell() {
    return doorbell;
  }

  void offer(Lane lane, ControlClient control) {
    Segments.add(lane, control, Segments.COMMANDS, commandFile, commands, false);
    Segments.add(lane, control, Segments.DOORBELL, doorbellFile, doorbell, true);
  }

  @Override
  public void close() {
    commandFile.close();
    doorbellFile.close();
  }
}
