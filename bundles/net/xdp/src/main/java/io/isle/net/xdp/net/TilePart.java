package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.api.net.TileInfo;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.XdpWake;
import io.isle.lib.tile.RingLayout;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.Umem;
import io.isle.net.xdp.socket.XskRing;
import io.isle.net.xdp.socket.XskSocket;
import io.isle.net.xdp.socket.XskTruth;
import io.isle.net.xdp.socket.XskWish;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What outlives the tiles of one queue: frames, ledger, positions, socket. */
final class TilePart implements AutoCloseable, TileCalls {
  private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(2);

  /** The kernel moves no more than 32 frames a call without this; twice a burst of a tile. */
  private static final int TX_BUDGET = 512;

  private static final int LINES = 8;

  private final int tile;
  private final Link link;
  private final NetSettings settings;
  private final Arena lifetime = Arena.ofShared();
  private final Umem umem;
  private final XskSocket socket;
  private final MemorySegment ledger;
  private final MemorySegment state;
  private final TileState words;
  private final TileSleeper sleeper;

  private TilePart(int tile, Link link, NetSettings settings, Umem umem, XskSocket socket) {
    this.tile = tile;
    this.link = link;
    this.settings = settings;
    this.umem = umem;
    this.socket = socket;
    ledger = lifetime.allocate(umem.frames(), LINES);
    state = lifetime.allocate(TileState.BYTES, 64);
    words = new TileState(state);
    sleeper = new TileSleeper(socket.descriptor());
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

  TileInfo info(boolean running) {
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
        total == 0 ? 0 : (double) busy / total);
  }

  /** Frames of a reason. */
  long dropped(RxDrop reason) {
    return words.get(TileState.port(0, TileState.RX_DROPS + reason.ordinal()));
  }

  /** Closes the socket and gives the memory back; no tile may be open. */
  @Override
  public void close() {
    sleeper.close();
    socket.close();
    umem.close();
    lifetime.close();
  }

  /**
   * Tables of a net that all its tiles read.
   *
   * @param apps of {@link io.isle.lib.tile.AppTable}
   * @param routes of {@link io.isle.lib.tile.RouteTable}
   */
  record Shared(MemorySegment apps, MemorySegment routes) {}
}
