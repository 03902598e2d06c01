package io.isle.core.accel.memory;

import io.isle.api.driver.DevicePort;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that a managed device shares with its drivers over all openings: the command segment,
 * which a host can only read, and the page that says whether the agent sleeps, which it can only
 * read too. Memory is taken as pages are touched, and unmapped when the managed device is closed: a
 * tenant that writes or rings then is told, or heard by nobody.
 */
public final class SharedMemory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SharedMemory.class.getName());

  private static final long COMMAND_BYTES = 64L << 20;
  private static final long PAGE = 4096;

  private final MappedArena arena = new MappedArena();
  private final List<MemoryFile> files = new ArrayList<>();
  private final DevicePort.Shared commands;
  private final DevicePort.Shared agent;

  /**
   * @throws io.isle.lib.ffi.PosixException when memory or descriptors are short; then nothing is
   *     left
   */
  public SharedMemory() {
    try {
      commands = share("isle-commands", COMMAND_BYTES);
      agent = share("isle-agent", PAGE);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private DevicePort.Shared share(String name, long bytes) {
    MemoryFile file = MemoryFile.create(name, bytes);
    files.add(file);
    DevicePort.Shared shared = new DevicePort.Shared(file.map(arena), file.descriptor());
    file.seal(true);
    return shared;
  }

  public DevicePort.Shared commands() {
    return commands;
  }

  public DevicePort.Shared agent() {
    return agent;
  }

  /** Ends when this is closed. */
  public Arena lifetime() {
    return arena;
  }

  /** Unmaps it here; in tier 1 a driver that stays loaded has mappings of its own. */
  @Override
  public void close() {
    files.forEach(MemoryFile::close);
    try {
      arena.close();
    } catch (IllegalStateException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "shared memory of a device could not be unmapped: {0}",
          e.getMessage());
    }
  }
}
