package io.isle.net.xdp.net;

import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.XdpWake;
import io.isle.lib.tile.RingLayout;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.Umem;
import io.isle.net.xdp.socket.XskRing;
import io.isle.net.xdp.socket.XskSocket;
import io.isle.net.xdp.socket.XskWish;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A socket of AF_XDP on a queue of an interface. */
final class SocketWire implements Wire {
  private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(2);

  /** The kernel moves no more than 32 frames a call without this; twice a burst of a tile. */
  private static final int TX_BUDGET = 512;

  /** Frames of each direction of the loopback, which is for senders on this machine. */
  private static final int LOOPBACK_FRAMES = 4096;

  private final Link link;
  private final XskSocket socket;

  private SocketWire(Link link, XskSocket socket) {
    this.link = link;
    this.socket = socket;
  }

  /**
   * Binds a socket.
   *
   * @throws io.isle.api.net.NetException as {@link XskSocket#open}
   */
  static SocketWire open(
      NetNamespace space, Link link, int queue, NetSettings settings, Umem umem) {
    return open(
        space,
        link,
        new XskWish(
            link.name(),
            link.index(),
            queue,
            settings.rxQueue(),
            settings.txQueue(),
            settings.rxQueue() * 2,
            settings.zeroCopy(),
            settings.poll(),
            BUSY_NS),
        umem);
  }

  /**
   * Binds a socket on the loopback, where the kernel always copies.
   *
   * @throws io.isle.api.net.NetException as {@link XskSocket#open}
   */
  static SocketWire loopback(NetNamespace space, Link link, NetSettings settings, Umem umem) {
    int rx = loopbackFrames(settings.rxQueue());
    return open(
        space,
        link,
        new XskWish(
            link.name(),
            link.index(),
            0,
            rx,
            loopbackFrames(settings.txQueue()),
            rx * 2,
            false,
            XskWish.Poll.SOFTIRQ,
            BUSY_NS),
        umem);
  }

  private static SocketWire open(NetNamespace space, Link link, XskWish wish, Umem umem) {
    XskSocket socket = XskSocket.open(space, wish, umem);
    try {
      // an older kernel sends fewer frames a call
      boolean ignored = socket.transmitBudget(Math.min(TX_BUDGET, wish.tx()));
      return new SocketWire(link, socket);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Frames of one direction of the loopback, for that many of the interface. */
  static int loopbackFrames(int frames) {
    return Math.min(frames, LOOPBACK_FRAMES);
  }

  /** Descriptor of the socket. */
  int descriptor() {
    return socket.descriptor();
  }

  /** The rings, for a process. */
  List<TileFile> files() {
    return socket.rings().stream()
        .map(
            ring ->
                new TileFile(
                    ring.memory(), socket.descriptor(), ring.mapOffset(), TileFile.Access.RING))
        .toList();
  }

  /** Index of the interface. */
  int interfaceIndex() {
    return link.index();
  }

  @Override
  public int queue() {
    return socket.wish().queue();
  }

  @Override
  public PortMemory memory() {
    return new PortMemory(
        link.index(),
        ring(socket.fill()),
        ring(socket.rx()),
        ring(socket.tx()),
        ring(socket.completion()),
        socket.wish().rx(),
        socket.wish().tx(),
        PollMode.valueOf(socket.truth().poll().name()));
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
  public boolean zeroCopy() {
    return socket.truth().zeroCopy();
  }

  @Override
  public String poll() {
    return socket.truth().poll().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public long pinnedBytes() {
    return socket.truth().pinnedBytes();
  }

  @Override
  public List<String> notes() {
    return socket.truth().notes();
  }

  @Override
  public int wakeRx() {
    return XdpWake.receive(socket.descriptor());
  }

  @Override
  public int wakeTx() {
    return XdpWake.transmit(socket.descriptor());
  }

  @Override
  public int statistics(MemorySegment into) {
    return socket.statistics(into);
  }

  @Override
  public void close() {
    socket.close();
  }
}
