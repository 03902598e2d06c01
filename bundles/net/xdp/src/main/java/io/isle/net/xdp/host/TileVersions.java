package io.isle.net.xdp.host;

import io.isle.api.net.tile.Tiles;

/** Finds the files of tiles for processes of their own. Thread-safe. */
@FunctionalInterface
public interface TileVersions {
  /**
   * The present version of tiles, for one user.
   *
   * @throws io.isle.api.net.NetException ENOTSUP with the reason, if the class cannot run outside
   *     of our process; EIO if a file cannot be written
   */
  TileVersion of(Tiles tiles);
}
