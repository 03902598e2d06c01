package io.isle.tck;

import io.isle.api.driver.DevicePort;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.MemorySegment;

/** What a device under test shares with its driver; there is no agent that sleeps. */
final class CoreMemory implements AutoCloseable {
  private static final long COMMAND_BYTES = 64L << 20;
  private static final long PAGE = 4096;

  private final MappedArena arena = new MappedArena();
  private final MemoryFile commandFile = MemoryFile.create("isle-commands", COMMAND_BYTES);
  private final MemoryFile agentFile = MemoryFile.create("isle-agent", PAGE);
  private final MemorySegment commands = commandFile.map(arena);
  private final MemorySegment agent = agentFile.map(arena);

  CoreMemory() {
    commandFile.seal(true);
    agentFile.seal(true);
  }

  MemorySegment commands() {
    return commands;
  }

  CoreConnection connection(Core core) {
    return new CoreConnection(
        new DevicePort.Shared(commands, commandFile.descriptor()),
        new DevicePort.Shared(agent, agentFile.descriptor()),
        SilentBell::new,
        core,
        core::started);
  }

  @Override
  public void close() {
    commandFile.close();
    agentFile.close();
    arena.close();
  }
}
