package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.TileProcessInfo;
import io.isle.api.net.tile.Tiles;
import io.isle.net.xdp.host.HostedTile;
import io.isle.net.xdp.host.TileVersion;
import io.isle.net.xdp.host.wire.TileFile;
import io.isle.net.xdp.host.wire.TileOrder;
import io.isle.net.xdp.settings.NetSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tiles of a net in processes of their own. Belongs to the executor of the nets. */
final class TileProcesses {
  /** Processes go on while the bundle of tiles is updated. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final String net;
  private final NetPlatform platform;
  private final Runnable reload;
  private final List<HostedTile> tiles = new ArrayList<>();

  /** The processors of each tile. */
  private List<Set<Integer>> processors = List.of();

  /** The bundle of tiles has been away for longer than it may. */
  private boolean left;

  /**
   * @param reload opens the tiles anew
   */
  TileProcesses(String net, NetPlatform platform, Runnable reload) {
    this.net = net;
    this.platform = platform;
    this.reload = reload;
  }

  boolean isEmpty() {
    return tiles.isEmpty();
  }

  boolean areRunning() {
    return !tiles.isEmpty() && tiles.stream().allMatch(HostedTile::isRunning);
  }

  /** Why a tile does not run; empty if all run. */
  String reason() {
    for (int i = 0; i < tiles.size(); i++) {
      if (!tiles.get(i).isRunning()) {
        return "tile " + i + ": " + tiles.get(i).info().reason();
      }
    }
    return "";
  }

  Optional<TileProcessInfo> info(int tile) {
    return tile < tiles.size() ? Optional.of(tiles.get(tile).info()) : Optional.empty();
  }

  /** The processors that a tile is told to run on, in order; empty for any. */
  List<Integer> processors(int tile) {
    return tile < processors.size() ? processors.get(tile).stream().sorted().toList() : List.of();
  }

  /**
   * Has a tile opened for each part, now or as soon as its process is there.
   *
   * @param service null while no bundle offers tiles
   * @param tap null without a capture
   * @param cpus processors of each tile
   * @throws NetException EINVAL for an app on the thread of the tile; as {@link
   *     io.isle.net.xdp.host.TileHosts}; as {@link Tiles#open} where a process has refused
   */
  void start(
      Tiles service,
      OpenNet open,
      NetSettings settings,
      NetApps apps,
      NetTap tap,
      List<Set<Integer>> cpus) {
    if (!apps.onTile(0).isEmpty()) {
      throw new NetException(
          Errno.EINVAL,
          "placement: process, and an app has thread = tile, which needs the platform; set"
              + " thread = own, or placement = agent");
    }
    if (service == null) {
      await();
      if (left || tiles.isEmpty()) {
        end();
        return;
      }
    } else {
      left = false;
      TileVersion version = platform.tileHosts().version(service);
      while (tiles.size() < open.parts().size()) {
        tiles.add(tile(tiles.size()));
      }
      tiles.forEach(tile -> tile.want(version, settings.standby()));
    }
    processors = cpus;
    for (int i = 0; i < tiles.size(); i++) {
      String refusal = tiles.get(i).refusal();
      if (!refusal.isEmpty()) {
        throw new NetException(Errno.EIO, refusal);
      }
      tiles.get(i).open(order(open, settings, apps, tap, i, cpus.get(i)));
    }
  }

  private HostedTile tile(int number) {
    return platform
        .tileHosts()
        .tile(
            "net " + net + ", tile " + number,
            platform.executor(),
            () -> platform.executor().execute(reload));
  }

  private void await() {
    if (!tiles.isEmpty()) {
      var ignored =
          platform
              .executor()
              .after(
                  GRACE,
                  () -> {
                    if (platform.tiles().get() == null && !tiles.isEmpty()) {
                      left = true;
                      reload.run();
                    }
                  });
    }
  }

  private static TileOrder order(
      OpenNet open,
      NetSettings settings,
      NetApps apps,
      NetTap tap,
      int tile,
      Set<Integer> processors) {
    TilePart part = open.parts().get(tile);
    List<TileFile> files = new ArrayList<>(part.files());
    files.add(open.tables().file());
    files.addAll(apps.files(tile));
    if (tap != null) {
      files.add(tap.file(tile));
    }
    return new TileOrder(
        files,
        part.memory(open.tables(), settings, apps.rxLinks(tile), apps.txLinks(tile))
            .withTap(tap == null ? null : tap.memories().get(tile)),
        part.sockets(),
        part.sleeper().event(),
        part.asleep(),
        apps.processBells(tile),
        apps.told(tile),
        apps.bells().stream().map(AppBell::pages).toList(),
        processors);
  }

  /** Other processes take the place of the present ones, as soon as they are ready. */
  void renew() {
    tiles.forEach(HostedTile::renew);
  }

  /** No memory is used any more when the call returns; the processes stay. */
  void stop() {
    tiles.forEach(HostedTile::stop);
  }

  /** Ends the processes. */
  void end() {
    tiles.forEach(HostedTile::close);
    tiles.clear();
  }
}
