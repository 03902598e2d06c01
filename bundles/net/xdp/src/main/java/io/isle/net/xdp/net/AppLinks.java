package io.isle.net.xdp.net;

import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.Mapping;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Mcache;
import io.isle.net.xdp.attach.AppLink;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.attach.LentMemory;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The links between an app and the tiles of a net: a link from each tile, and one link to all
 * tiles, whose progress each tile tells on its own. The memory can be lent to another process.
 */
final class AppLinks implements AutoCloseable {
  private final Arena lifetime = Arena.ofShared();
  private final String app;
  private final List<Integer> ports;
  private final int depth;
  private final Place place;
  private final List<LentMemory> rx = new ArrayList<>();
  private final List<EventDescriptor> bells = new ArrayList<>();
  private AppLink tx;

  /** Null for a process. */
  private AppPort port;

  /**
   * Where links belong in a net.
   *
   * @param app number of the app, 0 to 7
   * @param instance of the app, from 0
   * @param slot of the link to the tiles, 0 to 31
   * @param id that no other link of the net ever has
   */
  record Place(int app, int instance, int slot, long id) {}

  /**
   * New links.
   *
   * @param depth lines of each link
   * @throws io.isle.lib.ffi.PosixException if the kernel refuses memory
   */
  AppLinks(String app, List<Integer> ports, Place place, int depth, int tiles) {
    this.app = app;
    this.ports = ports;
    this.place = place;
    this.depth = depth;
    boolean made = false;
    try {
      tx = AppLink.create("isle-netapp-" + app, tiles, depth, Umem.FRAME_BYTES);
      for (int tile = 0; tile < tiles; tile++) {
        LentMemory memory =
            LentMemory.create("isle-netapp-" + app + "-rx", Mcache.footprint(depth, 0));
        rx.add(memory);
        Mcache ignored = Mcache.create(memory.memory(), depth, 0, 0);
      }
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  String app() {
    return app;
  }

  Place place() {
    return place;
  }

  /** UDP ports of the app. */
  List<Integer> ports() {
    return ports;
  }

  int depth() {
    return depth;
  }

  /**
   * The link from a tile.
   *
   * @param among number among the instances that are there
   */
  RxLinkMemory rxLink(int tile, int among) {
    return new RxLinkMemory(place.app(), among, rx.get(tile).memory());
  }

  /** The link to the tiles, with the progress of one of them. */
  TxLinkMemory txLink(int tile) {
    return new TxLinkMemory(
        place.slot(),
        place.id(),
        tx.memory(),
        0,
        depth,
        tx.seq0(),
        tx.data(),
        tx.dataBytes(),
        tx.mtu(),
        tx.progress(tile));
  }

  /** All memory of the links with a tile, for a process. */
  List<TileFile> files(int tile) {
    List<TileFile> files = new ArrayList<>(tx.files());
    files.add(rx.get(tile).file());
    return files;
  }

  /** The fseq of a tile, if a process is told there when to ring. */
  List<MemorySegment> told(int tile) {
    return bells.isEmpty() ? List.of() : List.of(tx.progress(tile));
  }

  /**
   * The side of an app of this process.
   *
   * @param parts the tiles of the net
   */
  AppPort port(List<TilePart> parts) {
    long bytes = tx.memory().byteSize();
    MemorySegment memory = Mapping.writable(tx.descriptor(), 0, bytes, lifetime);
    port =
        new AppPort(
            rx.stream().map(one -> Mcache.open(one.memory())).toList(),
            parts.stream().map(part -> part.umem().memory()).toList(),
            Mcache.open(memory.asSlice(0, Mcache.footprint(depth, 0))),
            Chunks.of(memory, tx.data(), tx.dataBytes(), tx.mtu()),
            IntStream.range(0, parts.size())
                .mapToObj(tile -> Fseq.open(tx.progress(tile)))
                .toList(),
            lifetime.allocate(Umem.FRAME_BYTES, 64),
            parts.stream().map(TilePart::sleeper).toList());
    return port;
  }

  /** Whom a file waits for; empty for a process. */
  Optional<FilePace.Reader> reader() {
    return Optional.ofNullable(port);
  }

  /**
   * What a process gets, and bells by which it wakes tiles; called once.
   *
   * @param parts the tiles of the net, which do not run
   */
  Attachment lend(List<TilePart> parts, OptionalInt address) {
    List<Attachment.Rx> tiles = new ArrayList<>();
    for (int tile = 0; tile < parts.size(); tile++) {
      TilePart part = parts.get(tile);
      EventDescriptor bell = new EventDescriptor();
      bells.add(bell);
      tiles.add(
          new Attachment.Rx(
              rx.get(tile).lent(),
              0,
              0,
              depth,
              part.lentFrames(),
              0,
              part.umem().memory().byteSize(),
              Umem.FRAME_BYTES,
              bell.descriptor()));
    }
    return new Attachment(
        place.app(),
        place.instance(),
        tx.mtu(),
        address.orElse(0),
        ports,
        tx.lent(),
        tx.lentProgress(),
        tiles);
  }

  /** The bell of a tile; -1 without one. */
  int bell(int tile) {
    return bells.isEmpty() ? -1 : bells.get(tile).descriptor();
  }

  /** Gives the memory back; neither tiles nor the app of this process may use it. */
  @Override
  public void close() {
    bells.forEach(EventDescriptor::close);
    rx.forEach(LentMemory::close);
    if (tx != null) {
      tx.close();
    }
    lifetime.close();
  }
}
