package io.isle.net.xdp.host.wire;

import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.Mapping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Reads the order to open, and maps its memory. The platform is trusted. */
public final class OrderReader {
  private final ByteBuffer bytes;
  private final IntUnaryOperator descriptors;
  private final Arena arena;
  private final List<TileFile> files = new ArrayList<>();

  private OrderReader(ByteBuffer bytes, IntUnaryOperator descriptors, Arena arena) {
    this.bytes = bytes;
    this.descriptors = descriptors;
    this.arena = arena;
  }

  /**
   * Reads an order behind its kind and number.
   *
   * @param descriptors of the message, by index
   * @param arena its close unmaps all
   * @throws io.isle.lib.ffi.PosixException if a file cannot be mapped
   */
  public static TileOrder open(ByteBuffer bytes, IntUnaryOperator descriptors, Arena arena) {
    return new OrderReader(bytes.order(ByteOrder.LITTLE_ENDIAN), descriptors, arena).open();
  }

  private TileOrder open() {
    int count = bytes.getShort();
    for (int i = 0; i < count; i++) {
      files.add(file());
    }
    List<Integer> sockets = list(this::descriptor);
    int wake = descriptor();
    MemorySegment asleep = segment();
    List<Integer> bells = list(this::descriptor);
    List<MemorySegment> told = list(this::segment);
    List<BellPages> woken = list(() -> new BellPages(segment(), segment()));
    Set<Integer> processors = Set.copyOf(list(() -> (int) bytes.getShort()));
    return new TileOrder(
        files, memory(), sockets, wake, asleep, bells, told, woken, processors);
  }

  private <T> List<T> list(Supplier<T> one) {
    int count = bytes.getShort();
    List<T> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(one.get());
    }
    return all;
  }

  private int descriptor() {
    return descriptors.applyAsInt(bytes.getShort());
  }

  private TileFile file() {
    int descriptor = descriptor();
    TileFile.Access access = TileFile.Access.values()[bytes.get()];
    long offset = bytes.getLong();
    long size = bytes.getLong();
    MemorySegment memory =
        switch (access) {
          case READ -> Mapping.readOnly(descriptor, offset, size, arena);
          case WRITE -> Mapping.writable(descriptor, offset, size, arena);
          case RING -> Mapping.populated(descriptor, offset, size, arena);
        };
    return new TileFile(memory, descriptor, offset, access);
  }

  private MemorySegment segment() {
    int index = Short.toUnsignedInt(bytes.getShort());
    long offset = bytes.getLong();
    long size = bytes.getLong();
    return index == Orders.NONE ? null : files.get(index).memory().asSlice(offset, size);
  }

  private TileMemory memory() {
    int tile = bytes.getInt();
    int tiles = bytes.getInt();
    MemorySegment umem = segment();
    int frameBytes = bytes.getInt();
    int frames = bytes.getInt();
    MemorySegment ledger = segment();
    MemorySegment state = segment();
    List<PortMemory> ports = list(this::port);
    int loopback = bytes.getInt();
    List<RxLinkMemory> rxLinks =
        list(() -> new RxLinkMemory(bytes.getInt(), bytes.getInt(), segment()));
    List<TxLinkMemory> txLinks = list(this::txLink);
    MemorySegment apps = segment();
    MemorySegment routes = segment();
    long flushNs = bytes.getLong();
    boolean checksums = bytes.get() != 0;
    return new TileMemory(
        tile,
        tiles,
        umem,
        frameBytes,
        frames,
        ledger,
        state,
        ports,
        loopback,
        rxLinks,
        txLinks,
        apps,
        routes,
        flushNs,
        checksums,
        segment());
  }

  private PortMemory port() {
    int index = bytes.getInt();
    RingMemory fill = ring();
    RingMemory rx = ring();
    RingMemory tx = ring();
    RingMemory completion = ring();
    return new PortMemory(
        index,
        fill,
        rx,
        tx,
        completion,
        bytes.getInt(),
        bytes.getInt(),
        PollMode.values()[bytes.get()]);
  }

  private RingMemory ring() {
    return new RingMemory(
        segment(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getInt());
  }

  private TxLinkMemory txLink() {
    int slot = bytes.getInt();
    long id = bytes.getLong();
    MemorySegment memory = segment();
    return new TxLinkMemory(
        slot,
        id,
        memory,
        bytes.getLong(),
        bytes.getInt(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getInt(),
        segment());
  }
}
