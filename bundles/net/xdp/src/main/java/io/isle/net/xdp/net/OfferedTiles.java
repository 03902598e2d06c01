package io.isle.net.xdp.net;

import io.isle.api.net.tile.Tiles;
import io.isle.lib.agent.SerialExecutor;
import io.isle.net.xdp.rehearsal.Rehearsal;
import java.time.Duration;

/**
 * The service that opens tiles, as its bundle comes, goes and is updated. Tiles of a version that
 * goes move frames until the next one is warm. Belongs to the executor of the nets, but for {@link
 * #get}.
 */
final class OfferedTiles {
  private static final System.Logger LOG = System.getLogger(OfferedTiles.class.getName());

  /** Tiles of a version that has gone end then at the latest. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final Duration REHEARSAL = Duration.ofMillis(500);
  private static final int ROUNDS = 1000;

  private final SerialExecutor executor;
  private volatile Tiles service;

  /** Changes with each version that goes. */
  private int gone;

  OfferedTiles(SerialExecutor executor) {
    this.executor = executor;
  }

  /** The service; null while no bundle offers tiles. Any thread. */
  Tiles get() {
    return service;
  }

  /** A version has come: its tiles take the place of others. */
  void come(Tiles next, NetSet nets) {
    if (nets.areRunningHere()) {
      rehearse(next);
    }
    service = next;
    nets.reload();
  }

  private static void rehearse(Tiles next) {
    try {
      Rehearsal.run(next, ROUNDS, REHEARSAL, () -> {});
    } catch (RuntimeException | LinkageError e) {
      // there is no other version: the nets try, and tell the reason as of any tile
      LOG.log(System.Logger.Level.WARNING, "the new version of the tiles fails in memory", e);
    }
  }

  /** A version goes. */
  void go(Tiles last, NetSet nets) {
    if (service != last) {
      return;
    }
    service = null;
    int by = ++gone;
    var ignored =
        executor.after(
            GRACE,
            () -> {
              if (service == null && by == gone) {
                nets.reload();
              }
            });
  }
}
