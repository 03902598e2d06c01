package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.api.net.TileInfo;
import io.isle.api.net.TileProcessInfo;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.ffi.XdpWake;
import io.isle.lib.tile.RingLayout;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.Umem;
import io.isle.net.xdp.socket.XskRing;
import io.isle.net.xdp.socket.XskSocket;
import io.isle.net.xdp.socket.XskTruth;
import io.isle.net.xdp.socket.XskWish;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What outlives the tiles of one queue: frames, ledger, positions, socket. */
final class TilePart implements AutoCloseable, TileCalls {
  private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(2);

  /** The kernel moves no more than 32 frames a call without this; twice a burst of a tile. */
  private static final int TX_BUDGET = 512;

  private static final int PAGE = 4096;

  /** Behind the page with the word of the sleep. */
  private static final long STATE = PAGE;

  private static final long LEDGER = STATE + pages(TileState.BYTES);

  private final int tile;
  private final Link link;
  private final NetSettings settings;
  private final Arena lifetime = Arena.ofShared();
  private final Umem umem;
  private final XskSocket socket;
  private final MemoryFile file;
  private final MemorySegment kept;
  private final MemorySegment ledger;
  private final MemorySegment state;
  private final TileState words;
  private final TileSleeper sleeper;
  private final int readOnlyFrames;

  /** Frames without a neighbour whose hosts were named. */
  private long unresolved;

  private TilePart(int tile, Link link, NetSettings settings, Umem umem, XskSocket socket) {
    this.tile = tile;
    this.link = link;
    this.settings = settings;
    this.umem = umem;
    this.socket = socket;
    file = MemoryFile.create("isle-net-tile-" + tile, LEDGER + pages(umem.frames()));
    file.seal(false);
    kept = file.map(lifetime);
    ledger = kept.asSlice(LEDGER, umem.frames());
    state = kept.asSlice(STATE, TileState.BYTES);
    words = new TileState(state);
    sleeper = new TileSleeper(socket.descriptor(), asleep());
    readOnlyFrames = umem.reopenReadOnly();
  }

  private static long pages(long bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
  }

  /** Descriptors of the sockets of the tile's ports, in their order. */
  List<Integer> sockets() {
    return List.of(socket.descriptor());
  }

  /** Word that is not 0 while the tile may sleep. */
  MemorySegment asleep() {
    return kept.asSlice(0, Long.BYTES);
  }

  /** All memory of the tile itself, for a process. */
  List<TileFile> files() {
    List<TileFile> files = new ArrayList<>();
    files.add(new TileFile(umem.memory(), umem.descriptor(), TileFile.Access.WRITE));
    files.add(new TileFile(kept, file.descriptor(), TileFile.Access.WRITE));
    for (XskRing ring : socket.rings()) {
      files.add(
          new TileFile(
              ring.memory(), socket.descriptor(), ring.mapOffset(), TileFile.Access.RING));
    }
    return files;
  }

  /** Where the agent of the tile sleeps, and who rings it; outlives tiles. */
  TileSleeper sleeper() {
    return sleeper;
  }

  /**
   * Makes the memory and binds the socket.
   *
   * @throws NetException as {@link XskSocket#open}
   */
  static TilePart open(String net, NetNamespace space, int tile, Link link, NetSettings settings) {
    int queue = settings.firstQueue() + tile;
    XskWish wish =
        new XskWish(
            link.name(),
            link.index(),
            queue,
            settings.rxQueue(),
            settings.txQueue(),
            settings.rxQueue() * 2,
            settings.zeroCopy(),
            settings.poll(),
            BUSY_NS);
    Umem umem = Umem.create("isle-net-" + net + "-" + tile, frames(settings));
    try {
      XskSocket socket = XskSocket.open(space, wish, umem);
      // an older kernel sends fewer frames a call
      boolean ignored = socket.transmitBudget(Math.min(TX_BUDGET, settings.txQueue()));
      return new TilePart(tile, link, settings, umem, socket);
    } catch (RuntimeException e) {
      umem.close();
      throw e;
    }
  }

  /** Frames to receive, to send, and in links of apps; an even number. */
  static int frames(NetSettings settings) {
    int frames = settings.rxQueue() + settings.txQueue() + settings.appFrames();
    return frames + frames % 2;
  }

  int queue() {
    return socket.wish().queue();
  }

  /** Descriptor of the socket. */
  int descriptor() {
    return socket.descriptor();
  }

  XskTruth truth() {
    return socket.truth();
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
    PortMemory port =
        new PortMemory(
            link.index(),
            ring(socket.fill()),
            ring(socket.rx()),
            ring(socket.tx()),
            ring(socket.completion()),
            settings.rxQueue(),
            settings.txQueue(),
            PollMode.valueOf(truth().poll().name()));
    return new TileMemory(
        tile,
        settings.tiles(),
        umem.memory(),
        Umem.FRAME_BYTES,
        umem.frames(),
        ledger,
        state,
        List.of(port),
        0,
        rxLinks,
        txLinks,
        shared.apps(),
        shared.routes(),
        now.flushNs(),
        now.dropBadChecksums());
  }

  private static RingMemory ring(XskRing ring) {
    RingLayout layout = ring.layout();
    return new RingMemory(
        ring.memory(),
        layout.producer(),
        layout.consumer(),
        layout.flags(),
        layout.entries(),
        layout.size());
  }

  @Override
  public int wakeRx(int port) {
    return XdpWake.receive(socket.descriptor());
  }

  @Override
  public int wakeTx(int port) {
    return XdpWake.transmit(socket.descriptor());
  }

  @Override
  public int statistics(int port, MemorySegment into) {
    return socket.statistics(into);
  }

  TileInfo info(boolean running, Optional<TileProcessInfo> process) {
    XskTruth truth = socket.truth();
    long total = words.get(TileState.tile(TileState.TOTAL_NS));
    long busy = words.get(TileState.tile(TileState.BUSY_NS));
    long dropped = words.rxDropped(0);
    long passed = words.get(TileState.port(0, TileState.RX_PASSED));
    return new TileInfo(
        tile,
        queue(),
        running,
        truth.zeroCopy(),
        truth.poll().name().toLowerCase(Locale.ROOT),
        truth.pinnedBytes(),
        umem.frames(),
        words.get(TileState.tile(TileState.OPENED)),
        words.get(TileState.port(0, TileState.SEEN)),
        passed,
        dropped,
        words.get(TileState.port(0, TileState.SENT)),
        total == 0 ? 0 : (double) busy / total,
        process);
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
    return words.get(TileState.port(0, TileState.RX_DROPS + reason.ordinal()));
  }

  /** Closes the socket and gives the memory back; no tile may be open. */
  @Override
  public void close() {
    sleeper.close();
    int ignored = new Sockets().close(readOnlyFrames);
    socket.close();
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
