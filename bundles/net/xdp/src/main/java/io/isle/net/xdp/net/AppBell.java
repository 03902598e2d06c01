package io.isle.net.xdp.net;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.shm.AgentBells;
import io.isle.lib.shm.ProcessBell;
import io.isle.net.xdp.host.wire.BellPages;
import io.isle.net.xdp.host.wire.TileFile;
import java.lang.foreign.Arena;
import java.util.List;

/** The bell of an app's thread, for tiles of the platform and of processes. */
final class AppBell implements Runnable, AutoCloseable {
  private static final int PAGE = 4096;

  private final Arena lifetime = Arena.ofShared();
  private final MemoryFile file = MemoryFile.create("isle-netapp-sleep", PAGE);
  private final TileFile sleep;
  private final AgentBells bells;
  private final ProcessBell process = new ProcessBell();

  AppBell() {
    file.seal(false);
    sleep = new TileFile(file.map(lifetime), file.descriptor(), TileFile.Access.READ);
    bells = new AgentBells(sleep.memory(), lifetime);
    // the first of few
    boolean ignored = bells.add(process);
  }

  /** The bells of the thread. */
  AgentBells bells() {
    return bells;
  }

  @Override
  public void run() {
    bells.ring();
  }

  /** What a process rings. */
  BellPages pages() {
    return new BellPages(process.page(), sleep.memory());
  }

  /** The memory of {@link #pages}. */
  List<TileFile> files() {
    return List.of(
        sleep, new TileFile(process.page(), process.descriptor(), TileFile.Access.WRITE));
  }

  /** The thread has ended, and no tile rings. */
  @Override
  public void close() {
    bells.remove(process);
    process.close();
    lifetime.close();
    file.close();
  }
}
