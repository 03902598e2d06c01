package io.isle.tck;

import io.isle.api.driver.DevicePort;
import io.isle.core.drivers.nativecode.Place;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.MemorySegment;

/** The command segment and the doorbell of a device under test. */
final class PlaceMemory implements AutoCloseable {
  private static final long COMMAND_BYTES = 64L << 20;
  private static final long PAGE = 4096;

  private final MappedArena arena = new MappedArena();
  private final MemoryFile commandFile = MemoryFile.create("isle-commands", COMMAND_BYTES);
  private final MemoryFile doorbellFile = MemoryFile.create("isle-doorbell", PAGE);
  private final MemorySegment commands = commandFile.map(arena);
  private final MemorySegment doorbell = doorbellFile.map(arena);

  PlaceMemory() {
    commandFile.seal(true);
    doorbellFile.seal(false);
  }

  MemorySegment commands() {
    return commands;
  }

  Place place(Core core) {
    return new Place(
        new DevicePort.Shared(commands, commandFile.descriptor()),
        new DevicePort.Shared(doorbell, doorbellFile.descriptor()),
        core,
        core::started);
  }

  @Override
  public void close() {
    commandFile.close();
    doorbellFile.close();
    arena.close();
  }
}
