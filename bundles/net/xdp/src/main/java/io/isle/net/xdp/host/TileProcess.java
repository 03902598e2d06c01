package io.isle.net.xdp.host;

import io.isle.api.net.NetException;
import io.isle.net.xdp.host.wire.TileOrder;
import java.time.Duration;

/** A process that runs a tile, or waits for one. Orders come from one thread at a time. */
interface TileProcess {
  /** What a process tells, on its own thread. */
  interface Events {
    /** The process is ready for orders. */
    void ready(TileProcess process);

    /**
     * The process has ended, or could not be started.
     *
     * @param lived since it was ready; zero if it never was
     */
    void ended(TileProcess process, String how, Duration lived);
  }

  /** Starts the process; returns at once. Once. */
  void start();

  /** Id of the process; 0 before its start. */
  long pid();

  TileVersion version();

  /** Whether the process takes orders. */
  boolean isReady();

  /** What confines the process, a line each; empty before the process has told. */
  String report();

  /**
   * Opens a tile; waits for the answer.
   *
   * @throws NetException as {@link io.isle.api.net.tile.Tiles#open}; ENODEV if the process has
   *     ended meanwhile; ETIMEDOUT, when the process is killed
   */
  void open(TileOrder order);

  /** Ends the tile; its memory is not used when the call returns. Kills a process that cannot. */
  void closeTile();

  /** Ends the process by force, soon. */
  void kill();

  /** Asks the process to end; returns at once. */
  void leave();

  /** Waits for the end of all that belongs to the process, behind {@link #leave}. */
  void join();
}
