package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.tile.AppTable;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.net.AppLinks.Place;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
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
    return all.stream().flatMap(one -> one.links().ports().stream()).distinct().sorted().toList();
  }

  private Stream<AppLinks> links() {
    return all.stream().map(Attached::links);
  }

  /**
   * Makes the links of further instances of an app, which {@link #add} takes.
   *
   * @param count of the instances
   * @throws NetException as {@link AppRoom#links}
   */
  List<AppLinks> links(String app, AppSettings wanted, int count, NetSettings net) {
    return new AppRoom(links().toList(), () -> ++lastId).links(app, wanted, count, net);
  }

  void add(Attached app) {
    all.add(app);
  }

  /** Apps of the platform that take frames. */
  List<FilePace.Reader> readers() {
    return links().flatMap(one -> one.reader().stream()).toList();
  }

  /** Attached instances of an app. */
  int instances(String app) {
    return (int) links().filter(one -> one.app().equals(app)).count();
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
      one.links().ports().forEach(port -> numbers.put(port, one.links().place().app()));
    }
    table.replace(numbers);
  }

  List<RxLinkMemory> rxLinks(int tile) {
    return links().map(one -> one.rxLink(tile, among(one.place()))).toList();
  }

  /** Tiles number the instances that are there without gaps, and share frames among them. */
  private int among(Place place) {
    return (int)
        links()
            .map(AppLinks::place)
            .filter(one -> one.app() == place.app() && one.instance() < place.instance())
            .count();
  }

  List<TxLinkMemory> txLinks(int tile) {
    return links().map(one -> one.txLink(tile)).toList();
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
    return links().flatMap(one -> one.told(tile).stream()).toList();
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
