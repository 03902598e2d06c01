package io.isle.net.xdp.net;

import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.RouteTable;
import io.isle.net.xdp.attach.LentMemory;
import io.isle.net.xdp.host.wire.TileFile;
import java.lang.foreign.MemorySegment;

/** Tables of a net that all its tiles read: of its apps, and of its routes. */
final class NetTables implements AutoCloseable {
  private static final int PAGE = 4096;
  private static final long ROUTES = (AppTable.BYTES + PAGE - 1) / PAGE * PAGE;

  private final LentMemory memory = LentMemory.create("isle-net-tables", ROUTES + RouteTable.BYTES);

  /** Memory of {@link AppTable}. */
  MemorySegment apps() {
    return memory.memory().asSlice(0, AppTable.BYTES);
  }

  /** Memory of {@link RouteTable}. */
  MemorySegment routes() {
    return memory.memory().asSlice(ROUTES, RouteTable.BYTES);
  }

  /** The file that both are in. */
  TileFile file() {
    return new TileFile(memory.memory(), memory.lent().descriptor(), TileFile.Access.READ);
  }

  /** Gives the memory back; no tile may be open. */
  @Override
  public void close() {
    memory.close();
  }
}
