package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.api.net.TileProcessInfo;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.agent.AgentInfo;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.ThreadAffinity;
import io.isle.net.xdp.settings.NetSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/** The running tiles of a net. Belongs to the executor of the nets. */
final class NetTiles {
  private static final int QUICK_ENDS = 5;
  private static final long WINDOW_NS = Duration.ofSeconds(10).toNanos();
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String net;
  private final NetPlatform platform;
  private final Runnable reload;
  private final List<RunningTile> tiles = new ArrayList<>();
  private final TileProcesses processes;
  private long windowNs = Long.MIN_VALUE / 2;
  private int ends;

  /** Opens the tile of a number. */
  private IntFunction<RunningTile> opener;

  /** Changes with each stop: a failure from before is late. */
  private int stops;

  /**
   * @param reload opens the tiles anew
   */
  NetTiles(String net, NetPlatform platform, Runnable reload) {
    this.net = net;
    this.platform = platform;
    this.reload = reload;
    processes = new TileProcesses(net, platform, reload);
  }

  /** Whether tiles move frames. */
  boolean areRunning() {
    return processes.isEmpty() ? !tiles.isEmpty() : processes.areRunning();
  }

  /** Whether tiles move frames in the platform. */
  boolean areRunningHere() {
    return processes.isEmpty() && !tiles.isEmpty();
  }

  /** Why tiles do not move frames; empty while they do. */
  String reason() {
    if (areRunning()) {
      return "";
    }
    return processes.isEmpty() ? "no bundle offers tiles" : processes.reason();
  }

  /** The process of a tile; empty while tiles run in the platform. */
  Optional<TileProcessInfo> process(int tile) {
    return processes.info(tile);
  }

  /** The processors that a tile runs on, in order; empty for any. */
  List<Integer> processors(int tile) {
    if (!processes.isEmpty()) {
      return processes.processors(tile);
    }
    return platform.host().agents().stream()
        .filter(one -> one.name().equals(agent(tile)))
        .findFirst()
        .map(AgentInfo::processors)
        .orElse(List.of());
  }

  private String agent(int tile) {
    return "net-" + net + "-" + tile;
  }

  /**
   * Opens a tile for each part; none while no bundle offers tiles.
   *
   * @param tap null without a capture
   * @throws NetException as {@link Tiles#open}; tiles before that one run
   */
  void start(OpenNet open, NetSettings settings, NetApps apps, NetTap tap) {
    Tiles service = platform.tiles().get();
    List<Set<Integer>> cpus =
        TileCpus.of(
            settings.cpu(),
            open.parts().size(),
            platform.host().agents(),
            ThreadAffinity.processors());
    if (settings.inProcess()) {
      processes.start(service, open, settings, apps, tap, cpus);
      return;
    }
    processes.end();
    if (service == null) {
      return;
    }
    open.file().ifPresent(file -> file.readers(readers(apps, tap)));
    opener = tile -> open(service, open, tile, settings, apps, tap, cpus.get(tile));
    for (int tile = 0; tile < open.parts().size(); tile++) {
      tiles.add(opener.apply(tile));
    }
  }

  private static List<FilePace.Reader> readers(NetApps apps, NetTap tap) {
    List<FilePace.Reader> readers = new ArrayList<>(apps.readers());
    if (tap != null) {
      readers.addAll(tap.readers());
    }
    return readers;
  }

  private RunningTile open(
      Tiles service,
      OpenNet open,
      int tile,
      NetSettings settings,
      NetApps apps,
      NetTap tap,
      Set<Integer> cpus) {
    TilePart part = open.parts().get(tile);
    part.sleeper().tell(apps.told(tile));
    int now = stops;
    return new RunningTile(
        agent(tile),
        service,
        part.memory(open.tables(), settings, apps.rxLinks(tile), apps.txLinks(tile))
            .withTap(tap == null ? null : tap.memories().get(tile)),
        part,
        apps,
        tile,
        cpus,
        platform.host(),
        cause -> platform.executor().execute(() -> failed(tile, now)));
  }

  /** A tile that fails again and again costs a little time only, and the others none. */
  private void failed(int tile, int by) {
    SerialExecutor executor = platform.executor();
    long now = System.nanoTime();
    if (now - windowNs >= WINDOW_NS) {
      windowNs = now;
      ends = 0;
    }
    ends++;
    if (ends > QUICK_ENDS) {
      var ignored = executor.after(PAUSE, () -> reopen(tile, by));
    } else {
      reopen(tile, by);
    }
  }

  private void reopen(int tile, int by) {
    if (by != stops) {
      return;
    }
    if (platform.tiles().get() == null) {
      // code that has gone is not opened once more
      reload.run();
      return;
    }
    tiles.get(tile).close();
    try {
      tiles.set(tile, opener.apply(tile));
    } catch (NetException e) {
      RunningTile ignored = tiles.remove(tile);
      // tells the reason, and tries again
      reload.run();
    }
  }

  void stop() {
    stops++;
    tiles.forEach(RunningTile::close);
    tiles.clear();
    processes.stop();
  }

  /** Opens the tiles anew; those of processes in other processes. */
  void renew() {
    if (processes.isEmpty()) {
      reload.run();
    } else {
      processes.renew();
    }
  }

  /** Ends processes behind {@link #stop}. */
  void end() {
    processes.end();
  }
}
