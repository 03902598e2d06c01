package io.isle.net.xdp.net;

import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.TileSleeper;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What outlives the tiles of one queue: frames, ledger, positions, sockets. */
final class TilePart implements AutoCloseable, TileCalls {
  private final int tile;
  private final NetSettings settings;
  private final Umem umem;

  /** The first is that of the interface; tile 0 may have a second of the loopback. */
  private final List<Wire> wires;

  private final int loopbackIndex;
  private final PartMemory kept;
  private final MemorySegment ledger;
  private final MemorySegment state;
  private final TileState words;
  private final TileFigures figures;
  private final TileSleeper sleeper;
  private final int readOnlyFrames;

  private TilePart(
      int tile,
      NetSettings settings,
      Umem umem,
      List<Wire> wires,
      List<Integer> descriptors,
      int loopbackIndex) {
    this.tile = tile;
    this.settings = settings;
    this.umem = umem;
    this.wires = wires;
    this.loopbackIndex = loopbackIndex;
    kept = new PartMemory(tile, umem.frames());
    ledger = kept.ledger();
    state = kept.state();
    words = new TileState(state);
    figures = new TileFigures(words);
    sleeper = new TileSleeper(new EventDescriptor(), descriptors, asleep());
    readOnlyFrames = umem.reopenReadOnly();
  }

  /** Word that is not 0 while the tile may sleep. */
  MemorySegment asleep() {
    return kept.asleep();
  }

  private Stream<SocketWire> socketWires() {
    return wires.stream().filter(SocketWire.class::isInstance).map(SocketWire.class::cast);
  }

  /** Descriptors of the sockets of the tile's ports, in their order. */
  List<Integer> sockets() {
    return socketWires().map(SocketWire::descriptor).toList();
  }

  /** All memory of the tile itself, for a process. */
  List<TileFile> files() {
    List<TileFile> files = new ArrayList<>();
    files.add(new TileFile(umem.memory(), umem.descriptor(), TileFile.Access.WRITE));
    files.add(kept.file());
    socketWires().forEach(wire -> files.addAll(wire.files()));
    return files;
  }

  /** Where the agent of the tile sleeps, and who rings it; outlives tiles. */
  TileSleeper sleeper() {
    return sleeper;
  }

  /**
   * Makes the memory and binds the sockets.
   *
   * @param loopback for tile 0 with the loopback; else empty
   * @throws io.isle.api.net.NetException as {@link SocketWire#open}
   */
  static TilePart open(
      String net,
      NetNamespace space,
      int tile,
      Link link,
      Optional<Link> loopback,
      NetSettings settings) {
    int queue = settings.firstQueue() + tile;
    Umem umem = Umem.create(name(net, tile), frames(settings, loopback.isPresent()));
    List<SocketWire> sockets = new ArrayList<>();
    try {
      sockets.add(SocketWire.open(space, link, queue, settings, umem));
      loopback.ifPresent(lo -> sockets.add(SocketWire.loopback(space, lo, settings, umem)));
      return new TilePart(
          tile,
          settings,
          umem,
          List.copyOf(sockets),
          sockets.stream().map(SocketWire::descriptor).toList(),
          loopback.map(Link::index).orElse(0));
    } catch (RuntimeException e) {
      sockets.forEach(SocketWire::close);
      umem.close();
      throw e;
    }
  }

  /**
   * Makes the memory of a tile without a socket.
   *
   * @param wire makes the wire on the frames
   */
  static TilePart open(String net, NetSettings settings, Function<MemorySegment, Wire> wire) {
    Umem umem = Umem.create(name(net, 0), frames(settings, false));
    List<Wire> made = new ArrayList<>();
    try {
      made.add(wire.apply(umem.memory()));
      return new TilePart(0, settings, umem, List.copyOf(made), List.of(), 0);
    } catch (RuntimeException e) {
      made.forEach(Wire::close);
      umem.close();
      throw e;
    }
  }

  private static String name(String net, int tile) {
    return "isle-net-" + net + "-" + tile;
  }

  /** Frames to receive, to send, and in links of apps; an even number. */
  private static int frames(NetSettings settings, boolean loopback) {
    int rings = settings.rxQueue() + settings.txQueue();
    int more =
        loopback
            ? SocketWire.loopbackFrames(settings.rxQueue())
                + SocketWire.loopbackFrames(settings.txQueue())
            : 0;
    int frames = rings + more + settings.appFrames();
    return frames + frames % 2;
  }

  int queue() {
    return wires.getFirst().queue();
  }

  /** The socket of the interface, or the files. */
  Wire wire() {
    return wires.getFirst();
  }

  /** Work behind each cycle: that of apps, then that of files. */
  List<TileAgent.OnTile> onTile(List<TileAgent.OnTile> apps) {
    List<TileAgent.OnTile> all = new ArrayList<>(apps);
    wires.forEach(
        wire -> {
          if (wire instanceof FileWire file) {
            all.add(file.mover());
          }
        });
    return all;
  }

  List<Wire> wires() {
    return wires;
  }

  /** The frames for processes, for reading alone. */
  Attachment.Lent lentFrames() {
    return new Attachment.Lent(readOnlyFrames, umem.memory().byteSize());
  }

  Umem umem() {
    return umem;
  }

  TileState words() {
    return words;
  }

  TileFigures figures() {
    return figures;
  }

  /** The description for a tile. */
  TileMemory memory(
      NetTables tables, NetSettings now, List<RxLinkMemory> rxLinks, List<TxLinkMemory> txLinks) {
    return new TileMemory(
        tile,
        settings.tiles(),
        umem.memory(),
        Umem.FRAME_BYTES,
        umem.frames(),
        ledger,
        state,
        wires.stream().map(Wire::memory).toList(),
        loopbackIndex,
        rxLinks,
        txLinks,
        tables.apps(),
        tables.routes(),
        now.flushNs(),
        now.dropBadChecksums());
  }

  @Override
  public int wakeRx(int port) {
    return wires.get(port).wakeRx();
  }

  @Override
  public int wakeTx(int port) {
    return wires.get(port).wakeTx();
  }

  @Override
  public int statistics(int port, MemorySegment into) {
    return wires.get(port).statistics(into);
  }

  /** Closes the sockets and gives the memory back; no tile may be open. */
  @Override
  public void close() {
    sleeper.close();
    int ignored = new Sockets().close(readOnlyFrames);
    wires.forEach(Wire::close);
    umem.close();
    kept.close();
  }
}
