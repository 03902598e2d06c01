package io.isle.net.tile;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.KernelRing;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.Routes;
import io.isle.lib.tile.TileState;
import java.util.List;

/** Makes a tile out of memory in any state that another tile may have left. */
final class Opening {
  private final TileParts parts;

  private Opening(TileParts parts) {
    this.parts = parts;
  }

  static TileCore open(TileMemory memory, Routes routes, TileCalls calls) {
    new Requirements(memory).check();
    try {
      return new Opening(TileParts.of(memory)).open(routes, calls);
    } catch (IllegalArgumentException e) {
      throw new NetException(Errno.EINVAL, e.getMessage(), e);
    } catch (IllegalStateException e) {
      throw new NetException(Errno.EIO, e.getMessage(), e);
    }
  }

  private TileCore open(Routes routes, TileCalls calls) {
    TileState state = parts.state();
    if (!state.isMarked()) {
      requireNew();
      state.mark();
    }
    requirePositions();
    new Repair(parts).run();
    FreeFrames free = new Furnish(parts).run();
    TxLink[] links = txLinks();
    state.add(TileState.tile(TileState.OPENED), 1);
    Flush[] flushes = new Flush[parts.ports().length];
    for (int i = 0; i < flushes.length; i++) {
      flushes[i] = new Flush(parts.ports()[i], state, calls, parts.memory().flushNs());
    }
    TileMemory memory = parts.memory();
    RxPath rx = new RxPath(parts, new AppTable(memory.apps()), memory.dropBadChecksums());
    TxPath tx = new TxPath(parts, free, routes, flushes, links);
    return new TileCore(parts, rx, tx, flushes, calls);
  }

  private void requireNew() {
    Ledger ledger = parts.ledger();
    if (ledger.count(Ledger.FREE) != ledger.frames()) {
      throw new NetException(Errno.EINVAL, "the state is new, and the ledger is not");
    }
    for (Port port : parts.ports()) {
      for (KernelRing ring : List.of(port.fill, port.rx, port.tx, port.completion)) {
        if (ring.producerIndex() != 0 || ring.consumerIndex() != 0) {
          throw new NetException(
              Errno.EINVAL, "the state is new, and a ring of port " + port.number + " is not");
        }
      }
    }
  }

  /** Positions may be ahead of the rings by what was written and not handed over. */
  private void requirePositions() {
    for (Port port : parts.ports()) {
      int seen = (int) parts.state().get(TileState.port(port.number, TileState.SEEN));
      int finished = seen - port.rx.consumerIndex();
      within("RX", finished, port.rx, port);
      within("FILL", port.fillPending(), port.fill, port);
      within("TX", port.txPending(), port.tx, port);
    }
  }

  private static void within(String ring, int ahead, KernelRing of, Port port) {
    if (ahead < 0 || ahead > of.size()) {
      throw new NetException(
          Errno.EIO,
          ring
              + " of port "
              + port.number
              + " is not where the tile left it, but "
              + ahead
              + " entries behind");
    }
  }

  private TxLink[] txLinks() {
    List<TxLinkMemory> memories = parts.memory().txLinks();
    TxLink[] links = new TxLink[memories.size()];
    for (int i = 0; i < links.length; i++) {
      links[i] = txLink(memories.get(i));
    }
    return links;
  }

  private TxLink txLink(TxLinkMemory link) {
    TileState state = parts.state();
    if (state.get(TileState.link(link.slot(), TileState.LINK_ID)) != link.id()) {
      state.set(TileState.link(link.slot(), TileState.LINK_ID), 0);
      long start = link.seq0() - state.taken(link.slot());
      state.set(TileState.link(link.slot(), TileState.START), start);
      state.set(TileState.link(link.slot(), TileState.NEXT), link.seq0());
      state.set(TileState.link(link.slot(), TileState.BREACHES), 0);
      state.set(TileState.link(link.slot(), TileState.LINK_ID), link.id());
    }
    Chunks chunks = Chunks.of(link.memory(), link.data(), link.dataBytes(), link.mtu());
    Fseq progress = Fseq.open(link.progress());
    return new TxLink(link, state, chunks, progress, isWhole(link));
  }

  /** Whether the head of an app's mcache is as it was made; the app may break it at any time. */
  private static boolean isWhole(TxLinkMemory link) {
    try {
      return Mcache.open(link.memory().asSlice(link.mcache())).depth() == link.depth();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
