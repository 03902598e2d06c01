package io.isle.net.xdp.host.wire;

import io.isle.api.net.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/**
 * All that a process needs to run a tile: memory, and descriptors to wait on. Immutable; the memory
 * must stay until the tile is closed.
 *
 * @param files that all memory lies in
 * @param memory of the tile
 * @param sockets descriptors of the ports, in their order
 * @param wake eventfd that apps of the platform ring
 * @param asleep word that is not 0 while the tile may sleep
 * @param bells eventfds that processes ring
 * @param told fseqs by which processes are told to ring
 * @param woken threads of apps that the tile wakes
 * @param processors that the tile runs on; empty for any
 */
public record TileOrder(
    List<TileFile> files,
    TileMemory memory,
    List<Integer> sockets,
    int wake,
    MemorySegment asleep,
    List<Integer> bells,
    List<MemorySegment> told,
    List<BellPages> woken,
    Set<Integer> processors) {
  /** Copies the lists. */
  public TileOrder {
    files = List.copyOf(files);
    sockets = List.copyOf(sockets);
    bells = List.copyOf(bells);
    told = List.copyOf(told);
    woken = List.copyOf(woken);
    processors = Set.copyOf(processors);
  }
}
