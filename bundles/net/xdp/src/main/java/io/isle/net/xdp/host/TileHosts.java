package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.jvm.RestartDelays;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** All that nets need for tiles in processes. Belongs to the executor of the nets. */
public final class TileHosts {
  /** A tile looks for work at least ten times a second. */
  static final Duration HANG = Duration.ofSeconds(2);

  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(10);

  /** A tile that has run so long is followed by the next one at once. */
  public static final Duration LONG_LIFE = Duration.ofSeconds(1);

  private final Supplier<Path> folder;
  private final TileVersions versions;
  private final Duration longLife;

  /** The service that {@link #version} is of. */
  private Tiles service;

  private TileVersion version;

  /**
   * @param folder of tile-host
   * @param versions finds the files of tiles
   */
  public TileHosts(Supplier<Path> folder, TileVersions versions) {
    this(folder, versions, LONG_LIFE);
  }

  /**
   * As the other constructor, with a life after which earlier ends do not count.
   *
   * @param longLife in place of {@link #LONG_LIFE}
   */
  public TileHosts(Supplier<Path> folder, TileVersions versions, Duration longLife) {
    this.folder = folder;
    this.versions = versions;
    this.longLife = longLife;
  }

  /**
   * The files of the present tiles.
   *
   * @throws NetException as {@link TileVersions#of}
   */
  public TileVersion version(Tiles tiles) {
    if (service != tiles) {
      TileVersion next = versions.of(tiles);
      release();
      service = tiles;
      version = next;
    }
    return version;
  }

  /** No net uses files from now on, but for those of processes. */
  public void release() {
    if (version != null) {
      version.release();
      version = null;
      service = null;
    }
  }

  /**
   * A tile without a process.
   *
   * @param name for the log
   * @param refused as for {@link HostedTile}
   * @throws NetException ENOENT without tile-host
   */
  public HostedTile tile(String name, SerialExecutor executor, Runnable refused) {
    Path host = folder.get().resolve("tile-host");
    if (!Files.exists(host)) {
      throw new NetException(
          Errno.ENOENT,
          host
              + " is missing: build native-shims (make), or set native_dir in"
              + " io.isle.drivers.cfg");
    }
    JvmCommand command = new JvmCommand(host);
    return new HostedTile(
        name,
        (tile, wanted, events) -> new JvmProcess(tile, command, wanted, HANG, events),
        (delay, work) -> {
          var ignored = executor.after(delay, work);
        },
        new Restarts(delays(longLife), System::nanoTime),
        refused);
  }

  /** Waits between processes of one tile. */
  static RestartDelays delays(Duration longLife) {
    return new RestartDelays(FIRST_DELAY, LONGEST_DELAY, longLife);
  }
}
