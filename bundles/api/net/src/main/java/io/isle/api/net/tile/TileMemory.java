package io.isle.api.net.tile;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * All that a tile works on. The owner keeps the memory while tiles come and go; layouts are those
 * of {@code io.isle.lib.tile} and {@code io.isle.lib.tango}. New memory is zero. The segments must
 * stay alive, and be accessible to the tile's thread, until the tile is closed.
 *
 * <p>To add or remove a link, or to change a setting, close the tile and open one on the changed
 * description: no frame is lost between both.
 *
 * @param tile number of this tile, from 0
 * @param tiles number of tiles that share the TX links by hash
 * @param umem frames of {@code frameBytes} each
 * @param frameBytes a power of two from 2048
 * @param frames number of frames
 * @param ledger a byte a frame
 * @param state positions and counters
 * @param ports a socket on the interface, and for tile 0 perhaps one on the loopback
 * @param loopbackIndex index of the loopback interface if tile 0 serves it; otherwise 0
 * @param apps table of ports and apps
 * @param routes table of routes
 * @param flushNs longest time that a frame to send waits for more frames
 * @param dropBadChecksums whether frames with a wrong checksum of UDP are dropped
 */
public record TileMemory(
    int tile,
    int tiles,
    MemorySegment umem,
    int frameBytes,
    int frames,
    MemorySegment ledger,
    MemorySegment state,
    List<PortMemory> ports,
    int loopbackIndex,
    List<RxLinkMemory> rxLinks,
    List<TxLinkMemory> txLinks,
    MemorySegment apps,
    MemorySegment routes,
    long flushNs,
    boolean dropBadChecksums) {
  /** Copies the lists. */
  public TileMemory {
    ports = List.copyOf(ports);
    rxLinks = List.copyOf(rxLinks);
    txLinks = List.copyOf(txLinks);
  }
}
