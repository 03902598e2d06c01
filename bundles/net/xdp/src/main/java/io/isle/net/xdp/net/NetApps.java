package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.tile.AppTable;
import io.isle.net.xdp.host.wire.TileFile;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The attached apps of a net. Belongs to the executor of the nets. */
final class NetApps {
  private final List<Attached> all = new ArrayList<>();
  private final List<AppBell> watchers = new ArrayList<>();
  private long lastId;

  /**
   * An attached app.
   *
   * @param onTile work behind the cycles of tile 0, if the tile's thread runs the app
   * @param bell rung behind cycles that did work, if the app has a thread of the platform
   */
  record Attached(AppLinks links, Optional<TileAgent.OnTile> onTile, Optional<AppBell> bell) {}

  /** UDP ports of all apps, sorted. */
  List<Integer> ports() {
    return all.stream().flatMap(one -> one.links().ports().stream()).sorted().toList();
  }

  /**
   * Makes the links of a further app, which {@link #add} takes.
   *
   * @throws NetException EBUSY for a port of another app; ENOSPC beyond the limits; ENOMEM with the
   *     arithmetic
   */
  AppLinks links(String app, List<Integer> ports, int depth, int tiles, int frames) {
    for (Attached one : all) {
      for (int port : one.links().ports()) {
        if (ports.contains(port)) {
          throw new NetException(
              Errno.EBUSY, "ports: " + port + " belongs to the app " + one.links().app());
        }
      }
    }
    if (ports().size() + ports.size() > FrameMatch.MAX_PORTS) {
      throw new NetException(
          Errno.ENOSPC,
          "ports: the apps of the net would have "
              + (ports().size() + ports.size())
              + "; at most "
              + FrameMatch.MAX_PORTS);
    }
    long held = all.stream().mapToLong(one -> one.links().depth()).sum();
    if (held + depth > frames) {
      throw new NetException(
          Errno.ENOMEM,
          "depth: "
              + depth
              + " frames beside "
              + held
              + " of other apps are more than app_frames of the net, "
              + frames);
    }
    return new AppLinks(app, ports, freeNumber(), ++lastId, depth, tiles);
  }

  private int freeNumber() {
    for (int number = 0; number < NetAdmin.APPS; number++) {
      int wanted = number;
      if (all.stream().noneMatch(one -> one.links().number() == wanted)) {
        return number;
      }
    }
    throw new NetException(Errno.ENOSPC, "the net has " + all.size() + " apps, the most");
  }

  void add(Attached app) {
    all.add(app);
  }

  void remove(AppLinks links) {
    all.removeIf(one -> one.links() == links);
  }

  /** Forgets all apps, as their memory ends with the net's. */
  void clear() {
    all.clear();
  }

  /** Tells tiles which app has which port. */
  void write(AppTable table) {
    Map<Integer, Integer> numbers = new HashMap<>();
    for (Attached one : all) {
      one.links().ports().forEach(port -> numbers.put(port, one.links().number()));
    }
    table.replace(numbers);
  }

  List<RxLinkMemory> rxLinks(int tile) {
    return all.stream().map(one -> one.links().rxLink(tile)).toList();
  }

  List<TxLinkMemory> txLinks(int tile) {
    return all.stream().map(one -> one.links().txLink(tile)).toList();
  }

  /** All memory of the links with a tile, and the bells that the tile rings, for a process. */
  List<TileFile> files(int tile) {
    return Stream.concat(
            all.stream().flatMap(one -> one.links().files(tile).stream()),
            bells().stream().flatMap(bell -> bell.files().stream()))
        .toList();
  }

  /** Bells by which processes wake a tile. */
  List<Integer> processBells(int tile) {
    return all.stream().map(one -> one.links().bell(tile)).filter(bell -> bell >= 0).toList();
  }

  /** Fseqs that tell processes when to ring a tile. */
  List<MemorySegment> told(int tile) {
    return all.stream().flatMap(one -> one.links().told(tile).stream()).toList();
  }

  /** An app has one thread: that of the first tile. */
  List<TileAgent.OnTile> onTile(int tile) {
    return tile > 0 ? List.of() : all.stream().flatMap(one -> one.onTile().stream()).toList();
  }

  List<AppBell> bells() {
    return Stream.concat(all.stream().flatMap(one -> one.bell().stream()), watchers.stream())
        .toList();
  }

  /** A capture is rung behind cycles that did work. */
  void watch(AppBell bell) {
    watchers.add(bell);
  }

  void unwatch(AppBell bell) {
    watchers.remove(bell);
  }
}
