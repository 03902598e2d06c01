package io.isle.net.xdp.net;

import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;

/** What the tiles of one queue have counted, on all their ports. */
final class TileFigures {
  private final TileState words;

  /** Frames without a neighbour whose hosts were named. */
  private long unresolved;

  TileFigures(TileState words) {
    this.words = words;
  }

  /** How often a tile was opened on this memory. */
  long opened() {
    return words.get(TileState.tile(TileState.OPENED));
  }

  /** Received frames with an outcome. */
  long seen() {
    return ports(TileState.SEEN);
  }

  /** Received frames that an app got. */
  long passed() {
    return ports(TileState.RX_PASSED);
  }

  /** Received frames that no app got. */
  long dropped() {
    return words.rxDropped(0) + words.rxDropped(1);
  }

  /** Frames of a reason. */
  long dropped(RxDrop reason) {
    return ports(TileState.RX_DROPS + reason.ordinal());
  }

  /** Frames that the kernel got to send. */
  long sent() {
    return ports(TileState.SENT);
  }

  /** Share of the time with work, 0 to 1. */
  double busy() {
    long total = words.get(TileState.tile(TileState.TOTAL_NS));
    return total == 0 ? 0 : (double) words.get(TileState.tile(TileState.BUSY_NS)) / total;
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
}
