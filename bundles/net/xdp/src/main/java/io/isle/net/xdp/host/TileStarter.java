package io.isle.net.xdp.host;

/** Starts processes of tiles. Thread-safe. */
@FunctionalInterface
interface TileStarter {
  /**
   * Starts a process; returns at once.
   *
   * @param name of the tile, for the log
   * @param version retained until the end of the process
   */
  TileProcess start(String name, TileVersion version, TileProcess.Events events);
}
