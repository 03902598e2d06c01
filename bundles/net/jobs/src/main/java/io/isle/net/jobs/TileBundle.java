package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tiles;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;

/** The bundle that offers tiles. Thread-safe. */
final class TileBundle {
  private static final long BACK_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_MS = 2;

  private final BundleContext context;

  TileBundle(BundleContext context) {
    this.context = context;
  }

  /**
   * Updates the bundle: reads its file anew, with a new class loader, and starts it. Waits until
   * tiles are offered again.
   *
   * @throws NetException ENOENT without the bundle; EIO if the update fails; ETIMEDOUT
   */
  void update() throws InterruptedException {
    ServiceReference<Tiles> offered = context.getServiceReference(Tiles.class);
    Bundle bundle = offered == null ? null : offered.getBundle();
    if (bundle == null) {
      throw new NetException(Errno.ENOENT, "no bundle offers tiles; see bundle:list");
    }
    try {
      bundle.update();
    } catch (BundleException | IllegalStateException e) {
      throw new NetException(
          Errno.EIO, "the bundle " + bundle.getSymbolicName() + " cannot be updated: " + e, e);
    }
    long end = System.nanoTime() + BACK_NS;
    while (context.getServiceReference(Tiles.class) == null) {
      if (System.nanoTime() - end >= 0) {
        throw new NetException(
            Errno.ETIMEDOUT, "no tiles are offered after the update of their bundle; see diag");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
