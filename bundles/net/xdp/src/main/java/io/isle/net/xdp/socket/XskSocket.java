package io.isle.net.xdp.socket;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.net.xdp.socket.XskRing.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A bound socket of AF_XDP with its four rings. The socket takes no frames before a program sends
 * them here (XSKMAP), and none before FILL has frames. The owner of the rings' sides is the tile;
 * this class makes and ends them. Not thread-safe.
 */
public final class XskSocket implements AutoCloseable {
  private final XskWish wish;
  private final SocketOptions options = new SocketOptions();
  private final MappedArena lifetime = new MappedArena();
  private final Map<Kind, XskRing> rings = new EnumMap<>(Kind.class);
  private final int descriptor;
  private XskTruth truth;
  private boolean closed;

  private XskSocket(NetNamespace space, XskWish wish) {
    this.wish = wish;
    descriptor = space.call(() -> new Sockets().socket(Sockets.AF_XDP, Sockets.SOCK_RAW));
    if (descriptor < 0) {
      throw failure("socket", descriptor, "AF_XDP needs CAP_NET_RAW");
    }
  }

  /**
   * Opens a socket on frames of its own.
   *
   * @param space namespace of the interface
   * @throws NetException EPERM without CAP_NET_RAW; EBUSY if another socket has the queue, also an
   *     old one whose rings somebody still maps; ENODEV, EINVAL without such an interface or queue;
   *     ENOBUFS, ENOMEM
   */
  public static XskSocket open(NetNamespace space, XskWish wish, Umem umem) {
    XskSocket socket = new XskSocket(space, wish);
    try {
      socket.register(umem);
      socket.makeRings();
      socket.bind(wish.zeroCopy() ? Xdp.ZEROCOPY : Xdp.COPY, -1);
      socket.settle((long) umem.frames() * Umem.FRAME_BYTES);
      return socket;
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Opens a socket of another interface or queue on the frames of a first one, whose copying and
   * wake-ups it shares; FILL and COMPLETION are its own. Its wish of zero copy has no meaning.
   *
   * @throws NetException as {@link #open}
   */
  public static XskSocket share(NetNamespace space, XskWish wish, XskSocket first) {
    XskSocket socket = new XskSocket(space, wish);
    try {
      socket.makeRings();
      socket.bind(Xdp.SHARED_UMEM, first.descriptor);
      socket.settle(0);
      return socket;
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private void register(Umem umem) {
    try (Arena arena = Arena.ofConfined()) {
      XdpStructures structures = new XdpStructures(arena);
      check("registration of the frames", set(Xdp.UMEM_REG, structures.umem(umem)), "");
    }
  }

  private void makeRings() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_INT);
      for (Kind kind : Kind.values()) {
        size.set(JAVA_INT, 0, size(kind));
        check("ring " + kind, set(kind.option(), size), "");
      }
      MemorySegment offsets = arena.allocate(Xdp.OFFSETS_BYTES, 8);
      int bytes = options.get(descriptor, Xdp.SOL, Xdp.MMAP_OFFSETS, offsets);
      if (bytes != Xdp.OFFSETS_BYTES) {
        throw failure("offsets of the rings", bytes < 0 ? bytes : -Errno.ENOTSUP, "old kernel");
      }
      for (Kind kind : Kind.values()) {
        rings.put(kind, XskRing.map(descriptor, kind, size(kind), offsets, lifetime));
      }
    }
  }

  private int size(Kind kind) {
    return switch (kind) {
      case RX -> wish.rx();
      case TX, COMPLETION -> wish.tx();
      case FILL -> wish.fill();
    };
  }

  private void bind(int way, int shared) {
    int code = new XskBind(descriptor, wish).bind(way, shared);
    check(
        "bind",
        code,
        switch (-code) {
          case Errno.EBUSY ->
              "another socket has the queue, or a process still maps the rings of an old one";
          case Errno.EINVAL -> "the interface may have fewer queues; see ethtool -l";
          default -> "";
        });
  }

  private void settle(long frameBytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment flags = arena.allocate(JAVA_INT);
      int bytes = options.get(descriptor, Xdp.SOL, Xdp.OPTIONS, flags);
      boolean zeroCopy = bytes > 0 && (flags.get(JAVA_INT, 0) & Xdp.OPTIONS_ZEROCOPY) != 0;
      long mapped = rings.values().stream().mapToLong(ring -> ring.memory().byteSize()).sum();
      truth = XskPolling.settle(descriptor, wish, zeroCopy, frameBytes + mapped);
    }
  }

  private int set(int option, MemorySegment value) {
    return options.set(descriptor, Xdp.SOL, option, value);
  }

  private void check(String step, int code, String hint) {
    if (code < 0) {
      throw failure(step, code, hint);
    }
  }

  private NetException failure(String step, int code, String hint) {
    return new NetException(
        -code,
        "%s: %s: %s%s"
            .formatted(
                wish.place(),
                step,
                SocketErrors.text(code),
                hint.isEmpty() ? "" : " (" + hint + ")"));
  }

  /** Descriptor for the map of the program, for polls and wake-ups, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /** What was wished. */
  public XskWish wish() {
    return wish;
  }

  /** What is in force. */
  public XskTruth truth() {
    return truth;
  }

  /** Ring of received frames; the tile is its consumer. */
  public XskRing rx() {
    return rings.get(Kind.RX);
  }

  /** Ring of frames to send; the tile is its producer. */
  public XskRing tx() {
    return rings.get(Kind.TX);
  }

  /** Ring of free frames for the kernel; the tile is its producer. */
  public XskRing fill() {
    return rings.get(Kind.FILL);
  }

  /** Ring of sent frames; the tile is its consumer. */
  public XskRing completion() {
    return rings.get(Kind.COMPLETION);
  }

  /**
   * Sets how many frames one wake-up sends at most where the kernel copies; 32 without this call.
   *
   * @param frames 1 to {@link XskWish#tx}
   * @return whether the kernel knows the option
   */
  public boolean transmitBudget(int frames) {
    try (Arena arena = Arena.ofConfined()) {
      int code = set(Xdp.MAX_TX_SKB_BUDGET, arena.allocateFrom(JAVA_INT, frames));
      if (code < 0 && code != -SocketErrors.ENOPROTOOPT) {
        throw failure("budget of " + frames + " frames", code, "");
      }
      return code == 0;
    }
  }

  /**
   * Copies the kernel's counters. Allocates nothing.
   *
   * @param into native, of {@link XskStatistics#BYTES}
   * @return 0 or a negated errno
   */
  public int statistics(MemorySegment into) {
    int bytes = options.get(descriptor, Xdp.SOL, Xdp.STATISTICS, into);
    return Math.min(bytes, 0);
  }

  /** The kernel's counters. */
  public XskStatistics statistics() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(XskStatistics.BYTES, 8);
      check("statistics", statistics(into), "");
      return XskStatistics.read(into);
    }
  }

  /** Unmaps the rings, whose use throws then, and closes the socket. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      lifetime.close();
      if (descriptor >= 0) {
        check("close", new Sockets().close(descriptor), "");
      }
    }
  }

  /** The rings in the order RX, TX, FILL, COMPLETION. */
  public List<XskRing> rings() {
    return List.of(rx(), tx(), fill(), completion());
  }
}
