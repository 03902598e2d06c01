package io.isle.net.xdp.net;

import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Mcache;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The links between an app and the tiles of a net: a link from each tile, and one link to all
 * tiles, whose progress each tile tells on its own.
 */
final class AppLinks implements AutoCloseable {
  private final Arena lifetime = Arena.ofShared();
  private final String app;
  private final List<Integer> ports;
  private final int depth;
  private final int number;
  private final long id;
  private final List<MemorySegment> rx = new ArrayList<>();
  private final List<MemorySegment> progress = new ArrayList<>();
  private final MemorySegment tx;
  private final long data;
  private final long dataBytes;

  /**
   * New links.
   *
   * @param number of the app in the net, 0 to 7; also the slot of the link to the tiles
   * @param id that no other link of the net ever has
   * @param depth lines of each link
   */
  AppLinks(String app, List<Integer> ports, int number, long id, int depth, int tiles) {
    this.app = app;
    this.ports = ports;
    this.number = number;
    this.id = id;
    this.depth = depth;
    for (int tile = 0; tile < tiles; tile++) {
      MemorySegment memory = lifetime.allocate(Mcache.footprint(depth, 0), Mcache.ALIGN);
      Mcache ignored = Mcache.create(memory, depth, 0, 0);
      rx.add(memory);
      MemorySegment fseq = lifetime.allocate(Fseq.BYTES, Fseq.BYTES);
      Fseq made = Fseq.create(fseq, 0);
      progress.add(fseq);
    }
    dataBytes = Dcache.dataBytes(Umem.FRAME_BYTES, depth, 1);
    long mcacheBytes = Mcache.footprint(depth, 0);
    data = (mcacheBytes + Dcache.ALIGN - 1) / Dcache.ALIGN * Dcache.ALIGN;
    tx = lifetime.allocate(data + dataBytes, Dcache.ALIGN);
    Mcache ignored = Mcache.create(tx.asSlice(0, mcacheBytes), depth, 0, 0);
  }

  String app() {
    return app;
  }

  int number() {
    return number;
  }

  /** UDP ports of the app. */
  List<Integer> ports() {
    return ports;
  }

  int depth() {
    return depth;
  }

  /** The link from a tile. */
  RxLinkMemory rxLink(int tile) {
    return new RxLinkMemory(number, 0, rx.get(tile));
  }

  /** The link to the tiles, with the progress of one of them. */
  TxLinkMemory txLink(int tile) {
    return new TxLinkMemory(
        number, id, tx, 0, depth, 0, data, dataBytes, Umem.FRAME_BYTES, progress.get(tile));
  }

  /**
   * The app's side.
   *
   * @param parts the tiles of the net
   */
  AppPort port(List<TilePart> parts) {
    return new AppPort(
        rx.stream().map(Mcache::open).toList(),
        parts.stream().map(part -> part.umem().memory()).toList(),
        Mcache.open(tx.asSlice(0, Mcache.footprint(depth, 0))),
        Chunks.of(tx, data, dataBytes, Umem.FRAME_BYTES),
        progress.stream().map(Fseq::open).toList(),
        lifetime.allocate(Umem.FRAME_BYTES, 64),
        parts.stream().map(TilePart::sleeper).toList());
  }

  /** Gives the memory back; neither tiles nor the app may use it. */
  @Override
  public void close() {
    lifetime.close();
  }
}
