package io.isle.net.xdp.net;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.host.wire.TileFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The word of the sleep, the state and the ledger of a tile, in one file; they outlive tiles. */
final class PartMemory implements AutoCloseable {
  private static final int PAGE = 4096;

  /** Behind the page with the word of the sleep. */
  private static final long STATE = PAGE;

  private static final long LEDGER = STATE + pages(TileState.BYTES);

  private final Arena lifetime = Arena.ofShared();
  private final int frames;
  private final MemoryFile file;
  private final MemorySegment memory;

  PartMemory(int tile, int frames) {
    this.frames = frames;
    file = MemoryFile.create("isle-net-tile-" + tile, LEDGER + pages(frames));
    file.seal(false);
    memory = file.map(lifetime);
  }

  private static long pages(long bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
  }

  /** Word that is not 0 while the tile may sleep. */
  MemorySegment asleep() {
    return memory.asSlice(0, Long.BYTES);
  }

  /** Memory of {@link TileState}. */
  MemorySegment state() {
    return memory.asSlice(STATE, TileState.BYTES);
  }

  /** A byte for each frame. */
  MemorySegment ledger() {
    return memory.asSlice(LEDGER, frames);
  }

  /** All of it, for a process. */
  TileFile file() {
    return new TileFile(memory, file.descriptor(), TileFile.Access.WRITE);
  }

  @Override
  public void close() {
    lifetime.close();
    file.close();
  }
}
