package io.isle.net.tile;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.TileState;
import java.util.HashSet;
import java.util.Set;

/** Refuses a description that does not fit its memory, before anything is changed. */
final class Requirements {
  private static final int MOST_INSTANCES = 64;

  private final TileMemory memory;

  Requirements(TileMemory memory) {
    this.memory = memory;
  }

  void check() {
    require(memory.tiles() >= 1, "tiles is " + memory.tiles() + ", not 1 or more");
    require(
        memory.tile() >= 0 && memory.tile() < memory.tiles(),
        "tile " + memory.tile() + " is not within 0 to " + (memory.tiles() - 1));
    int bytes = memory.frameBytes();
    require(
        Integer.bitCount(bytes) == 1 && bytes >= 2048 && bytes <= 1 << 16,
        "frames of " + bytes + " bytes are no power of two within 2048 to 65536");
    require(memory.frames() >= 1, "the UMEM has no frames");
    require(
        memory.umem().byteSize() >= (long) bytes * memory.frames(),
        "the UMEM has "
            + memory.umem().byteSize()
            + " bytes, not "
            + memory.frames()
            + " frames of "
            + bytes);
    require(memory.flushNs() >= 0, "the flush time is negative");
    int ports = memory.ports().size();
    require(
        ports >= 1 && ports <= TileState.PORTS,
        ports + " ports are not within 1 to " + TileState.PORTS);
    for (PortMemory port : memory.ports()) {
      port(port);
    }
    rxLinks();
    txLinks();
    frames();
  }

  private static void port(PortMemory port) {
    within("frames to receive", port.rxFrames(), port.fill(), "FILL");
    within("frames to send", port.txFrames(), port.tx(), "TX");
    within("frames to send", port.txFrames(), port.completion(), "COMPLETION");
  }

  private static void within(String what, int count, RingMemory ring, String name) {
    require(
        count >= 1 && count <= ring.size(),
        what + ": " + count + " is not within 1 to " + ring.size() + ", the size of " + name);
  }

  private void rxLinks() {
    Set<Integer> seen = new HashSet<>();
    int[] instances = new int[AppTable.APPS];
    for (RxLinkMemory link : memory.rxLinks()) {
      require(
          link.app() >= 0 && link.app() < AppTable.APPS,
          "app " + link.app() + " is not within 0 to " + (AppTable.APPS - 1));
      require(
          link.instance() >= 0 && link.instance() < MOST_INSTANCES,
          "instance " + link.instance() + " is not within 0 to " + (MOST_INSTANCES - 1));
      require(
          seen.add(link.app() * MOST_INSTANCES + link.instance()),
          "app " + link.app() + " has instance " + link.instance() + " twice");
      instances[link.app()] = Math.max(instances[link.app()], link.instance() + 1);
    }
    int named = 0;
    for (int count : instances) {
      named += count;
    }
    require(named == seen.size(), "the instances of an app have a gap");
  }

  private void txLinks() {
    Set<Integer> slots = new HashSet<>();
    for (TxLinkMemory link : memory.txLinks()) {
      require(
          link.slot() >= 0 && link.slot() < TileState.TX_LINKS,
          "slot " + link.slot() + " is not within 0 to " + (TileState.TX_LINKS - 1));
      require(slots.add(link.slot()), "slot " + link.slot() + " has two links");
      require(link.id() != 0, "a link has the id 0");
      require(
          link.mtu() >= 64 && link.mtu() <= memory.frameBytes(),
          "mtu " + link.mtu() + " is not within 64 to " + memory.frameBytes());
    }
  }

  /** Each frame that rings and links can hold at once has to be there. */
  private void frames() {
    long needed = 0;
    StringBuilder sum = new StringBuilder();
    for (PortMemory port : memory.ports()) {
      needed += (long) port.rxFrames() + port.txFrames();
      sum.append(" + ").append(port.rxFrames()).append(" to receive");
      sum.append(" + ").append(port.txFrames()).append(" to send");
    }
    long lines = 0;
    for (RxLinkMemory link : memory.rxLinks()) {
      lines += depth(link);
    }
    needed += lines;
    sum.append(" + ").append(lines).append(" in links of apps");
    if (needed > memory.frames()) {
      throw new NetException(
          Errno.ENOMEM,
          "the net needs "
              + needed
              + " frames ("
              + sum.substring(3)
              + "), and has "
              + memory.frames());
    }
  }

  private static int depth(RxLinkMemory link) {
    try {
      return Mcache.open(link.mcache()).depth();
    } catch (IllegalArgumentException e) {
      throw new NetException(
          Errno.EINVAL,
          "RX link of app " + link.app() + ", instance " + link.instance() + ": " + e.getMessage(),
          e);
    }
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new NetException(Errno.EINVAL, message);
    }
  }
}
