package io.isle.net.xdp.net;

import io.isle.api.net.TileInfo;
import io.isle.api.net.TileProcessInfo;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.TileSleeper;
import io.isle.net.xdp.socket.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What outlives the tiles of one queue: frames, ledger, positions, sockets. */
final class TilePart implements AutoCloseable, TileCalls {
  private static final int PAGE = 4096;

  /** Behind the page with the word of the sleep. */
  private static final long STATE = PAGE;

  private static final long LEDGER = STATE + pages(TileState.BYTES);

  private final int tile;
  private final NetSettings settings;
  private final Arena lifetime = Arena.ofShared();
  private final Umem umem;

  /** The first is that of the interface; tile 0 may have a second of the loopback. */
  private final List<Wire> wires;

  private final int loopbackIndex;
  private final MemoryFile file;
  private final MemorySegment kept;
  private final MemorySegment ledger;
  private final MemorySegment state;
  private final TileState words;
  private final TileSleeper sleeper;
  private final int readOnlyFrames;

  /** Frames without a neighbour whose hosts were named. */
  private long unresolved;

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
    file = MemoryFile.create("isle-net-tile-" + tile, LEDGER + pages(umem.frames()));
    file.seal(false);
    kept = file.map(lifetime);
    ledger = kept.asSlice(LEDGER, umem.frames());
    state = kept.asSlice(STATE, TileState.BYTES);
    words = new TileState(state);
    sleeper = new TileSleeper(new EventDescriptor(), descriptors, asleep());
    readOnlyFrames = umem.reopenReadOnly();
  }

  private static long pages(long bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
  }

  /** Word that is not 0 while the tile may sleep. */
  MemorySegment asleep() {
    return kept.asSlice(0, Long.BYTES);
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
    files.add(new TileFile(kept, file.descriptor(), TileFile.Access.WRITE));
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
            all.add(file);
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

  /** The description for a tile. */
  TileMemory memory(
      Shared shared, NetSettings now, List<RxLinkMemory> rxLinks, List<TxLinkMemory> txLinks) {
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
        shared.apps(),
        shared.routes(),
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

  TileInfo info(boolean running, List<Integer> processors, Optional<TileProcessInfo> process) {
    long total = words.get(TileState.tile(TileState.TOTAL_NS));
    long busy = words.get(TileState.tile(TileState.BUSY_NS));
    return new TileInfo(
        tile,
        queue(),
        running,
        wire().zeroCopy(),
        wire().poll(),
        wires.stream().mapToLong(Wire::pinnedBytes).sum(),
        umem.frames(),
        words.get(TileState.tile(TileState.OPENED)),
        ports(TileState.SEEN),
        ports(TileState.RX_PASSED),
        words.rxDropped(0) + words.rxDropped(1),
        ports(TileState.SENT),
        total == 0 ? 0 : (double) busy / total,
        processors,
        process);
  }

  /** Of the interface and the loopback. */
  private long ports(int word) {
    return words.get(TileState.port(0, word)) + words.get(TileState.port(1, word));
  }

  /** Takes a host on a link. */
  @FunctionalInterface
  interface Host {
    /**
     * @param address IPv4, first number highest
     */
    void take(int interfaceIndex, int address);
  }

  /** Names the hosts whose hardware address frames have missed since the last call. */
  void missing(Host host) {
    long now = words.get(TileState.tile(TileState.UNRESOLVED));
    long first = Math.max(unresolved, now - TileState.NEIGHBOR_WORDS);
    for (long i = first; i < now; i++) {
      long word =
          words.get(TileState.tile(TileState.NEIGHBORS + (int) (i % TileState.NEIGHBOR_WORDS)));
      host.take((int) (word >>> 32), (int) word);
    }
    unresolved = now;
  }

  /** Frames of a reason. */
  long dropped(RxDrop reason) {
    return ports(TileState.RX_DROPS + reason.ordinal());
  }

  /** Closes the sockets and gives the memory back; no tile may be open. */
  @Override
  public void close() {
    sleeper.close();
    int ignored = new Sockets().close(readOnlyFrames);
    wires.forEach(Wire::close);
    umem.close();
    lifetime.close();
    file.close();
  }

  /**
   * Tables of a net that all its tiles read.
   *
   * @param apps of {@link io.isle.lib.tile.AppTable}
   * @param routes of {@link io.isle.lib.tile.RouteTable}
   * @param file that both are in
   */
  record Shared(MemorySegment apps, MemorySegment routes, TileFile file) {}
}
