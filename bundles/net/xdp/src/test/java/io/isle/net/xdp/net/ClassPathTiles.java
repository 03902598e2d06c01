package io.isle.net.xdp.net;

import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.host.TileVersion;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Processes of tiles with the class path of the test, in place of bundles. */
final class ClassPathTiles {
  private ClassPathTiles() {}

  static TileHosts hosts() {
    return hosts(TileHosts.LONG_LIFE);
  }

  /** As there, with a life after which earlier ends do not count. */
  static TileHosts hosts(Duration longLife) {
    List<Path> classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .toList();
    return new TileHosts(
        () -> Path.of(System.getProperty("isle.native")),
        tiles -> new TileVersion(tiles.getClass().getName(), classPath, () -> {}),
        longLife);
  }
}
