package io.isle.net.tile;

import io.isle.lib.packet.NetSig;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.RawMemory;
import io.isle.lib.tile.Routes;
import io.isle.lib.tile.Tap;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.lang.foreign.MemorySegment;

/**
 * Copies frames of apps into frames of the UMEM, addresses them and enters them into TX; takes sent
 * frames back. The order of the stores for one frame is the contract with {@link Repair}.
 */
final class TxPath {
  /** Frames of up to so many bytes are copied word by word. */
  private static final int SMALL_BYTES = 128;

  private final long umem;
  private final QuickHead head = new QuickHead();
  private final Frames frames;
  private final Ledger ledger;
  private final TileState state;
  private final FreeFrames free;
  private final Routes routes;
  private final Port[] ports;
  private final Flush[] flushes;
  private final TxLink[] links;
  private final Tap tap;
  private final int tile;
  private final int tiles;
  private final int loopback;
  private int turn;
  private boolean drained;

  TxPath(TileParts parts, FreeFrames free, Routes routes, Flush[] flushes, TxLink[] links) {
    this.umem = RawMemory.address(parts.memory().umem(), 64);
    this.frames = parts.frames();
    this.ledger = parts.ledger();
    this.state = parts.state();
    this.ports = parts.ports();
    this.tile = parts.memory().tile();
    this.tiles = parts.memory().tiles();
    this.loopback = parts.memory().loopbackIndex();
    this.free = free;
    this.routes = routes;
    this.flushes = flushes;
    this.links = links;
    this.tap = parts.tap();
  }

  /** Takes sent frames of a port back. */
  int complete(Port port, int limit) {
    int count = Math.min(port.completion.available(limit), limit);
    for (int i = 0; i < count; i++) {
      int frame = frames.at(port.completion.address(i));
      if (frame >= 0 && ledger.state(frame) == Ledger.TX) {
        ledger.state(frame, Ledger.FREE);
        free.push(frame);
      } else {
        state.add(TileState.port(port.number, TileState.WRONG_COMPLETIONS), 1);
      }
    }
    if (count > 0) {
      port.completion.release(count);
    }
    return count;
  }

  /**
   * Sends frames of all links, which take turns.
   *
   * @param limit most frames a link
   * @return number of frames that left their links
   */
  int send(int limit, long nowNs) {
    int work = 0;
    drained = true;
    for (int i = 0; i < links.length; i++) {
      work += drain(links[(turn + i) % links.length], limit, nowNs);
    }
    turn = links.length == 0 ? 0 : (turn + 1) % links.length;
    return work;
  }

  /** Whether no link had more frames at the last {@link #send}. */
  boolean isDrained() {
    return drained;
  }

  private int drain(TxLink link, int limit, long nowNs) {
    int count = 0;
    while (count < limit && !link.isCut() && link.read()) {
      if (!take(link, nowNs)) {
        break;
      }
      count++;
    }
    drained &= count < limit;
    link.settle();
    return count;
  }

  /** Takes the frame that was read; false if the frame waits for room. */
  private boolean take(TxLink link, long nowNs) {
    long signature = link.signature();
    boolean mine = NetSig.hash(signature) % tiles == tile;
    if (!mine && (tile != 0 || loopback == 0)) {
      link.skip();
      return true;
    }
    int way = routes.lookup(NetSig.address(signature));
    boolean known = way == Routes.SENDS || way == Routes.NO_NEIGHBOR;
    // frames for the loopback are those of tile 0, whatever their hash
    boolean looped = known && loopback != 0 && routes.interfaceIndex() == loopback;
    if (looped ? tile != 0 : !mine) {
      link.skip();
      return true;
    }
    return send(link, way, nowNs);
  }

  private boolean send(TxLink link, int way, long nowNs) {
    Port port = way == Routes.SENDS ? port() : null;
    if (port == null) {
      if (way == Routes.NO_NEIGHBOR) {
        unresolved();
      }
      drop(link, reason(way), nowNs);
      return true;
    }
    if (!link.isWithin()) {
      link.drop(TxDrop.INVALID);
      return true;
    }
    if (!port.hasRoom() || free.isEmpty()) {
      if (!flushes[port.number].hasGivenUp(nowNs)) {
        return false;
      }
      drop(link, TxDrop.RING_FULL, nowNs);
      return true;
    }
    copy(link, port, nowNs);
    return true;
  }

  /** Drops a frame that was not copied. */
  private void drop(TxLink link, TxDrop reason, long nowNs) {
    if (tap != null && link.hasFrame()) {
      tap.sent(nowNs, RawMemory.ALL, link.address(), link.size(), reason);
    }
    link.drop(reason);
  }

  private void copy(TxLink link, Port port, long nowNs) {
    int frame = free.pop();
    long address = frames.address(frame);
    int size = link.size();
    TxDrop drop = copy(link, umem + address, size);
    if (tap != null && drop != TxDrop.OVERRUN) {
      tap.sent(nowNs, RawMemory.ALL, umem + address, size, drop);
    }
    if (drop != null) {
      free.push(frame);
      link.drop(drop);
      return;
    }
    port.stageTx(address, size);
    link.pass();
    ledger.state(frame, Ledger.TX);
    link.advance();
    flushes[port.number].staged(nowNs);
  }

  /** Copies a frame and writes its addresses; the reason if that cannot be. */
  private TxDrop copy(TxLink link, long to, int size) {
    long from = link.address();
    boolean quick = size >= QuickHead.BYTES && head.read(from);
    if (quick && size <= SMALL_BYTES) {
      // chunks and frames end at multiples of 8
      QuickHead.copyRest(from, to, size);
    } else {
      MemorySegment.copy(RawMemory.ALL, from, RawMemory.ALL, to, size);
    }
    if (!link.isWhole()) {
      return TxDrop.OVERRUN;
    }
    if (!quick) {
      return PlainHead.address(routes, to, size);
    }
    TxDrop drop = address();
    head.write(to);
    return drop;
  }

  /** As {@link PlainHead#address}, in the head that was read. */
  private TxDrop address() {
    if (head.source() == 0) {
      if (routes.source() == 0) {
        return TxDrop.NO_SOURCE;
      }
      head.source(routes.source());
    }
    head.addresses(routes.neighbor(), routes.station());
    return null;
  }

  /** Names the neighbor, so that the owner asks the kernel for it. */
  private void unresolved() {
    long at = TileState.tile(TileState.UNRESOLVED);
    long count = state.get(at);
    long name = (long) routes.interfaceIndex() << 32 | Integer.toUnsignedLong(routes.nextHop());
    int word = TileState.NEIGHBORS + (int) (count % TileState.NEIGHBOR_WORDS);
    state.set(TileState.tile(word), name);
    state.set(at, count + 1);
  }

  private static TxDrop reason(int way) {
    return switch (way) {
      case Routes.SENDS -> TxDrop.INTERFACE;
      case Routes.NO_NEIGHBOR -> TxDrop.NO_NEIGHBOR;
      case Routes.ROUTE_TYPE -> TxDrop.ROUTE_TYPE;
      default -> TxDrop.NO_ROUTE;
    };
  }

  /** The port of the interface that was looked up; null without one. */
  private Port port() {
    int index = routes.interfaceIndex();
    for (Port port : ports) {
      if (port.memory.interfaceIndex() == index) {
        return port;
      }
    }
    return null;
  }
}
