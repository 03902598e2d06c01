package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingTransport;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** The bundles of transports. Thread-safe. */
final class TransportBundles {
  private static final long BACK_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_MS = 5;

  private final BundleContext context;

  TransportBundles(BundleContext context) {
    this.context = context;
  }

  /**
   * Updates the bundle of a transport: reads its file anew, with a new class loader, and starts it.
   * Waits until the transport is back.
   *
   * @throws RingException ENOENT without the transport; EIO if the update fails; ETIMEDOUT
   */
  void update(String transport) throws InterruptedException {
    Bundle bundle =
        bundle(transport)
            .orElseThrow(
                () ->
                    new RingException(
                        Errno.ENOENT, "transport '" + transport + "' is not installed"));
    try {
      bundle.update();
    } catch (BundleException | IllegalStateException e) {
      throw new RingException(
          Errno.EIO, "the bundle " + bundle.getSymbolicName() + " cannot be updated: " + e, e);
    }
    long end = System.nanoTime() + BACK_NS;
    while (bundle(transport).isEmpty()) {
      if (System.nanoTime() - end >= 0) {
        throw new RingException(
            Errno.ETIMEDOUT,
            "transport '" + transport + "' is not back after the update of its bundle; see diag");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private Optional<Bundle> bundle(String transport) {
    Collection<ServiceReference<RingTransport>> found;
    try {
      found = context.getServiceReferences(RingTransport.class, null);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
    return found.stream()
        .filter(one -> transport.equals(one.getProperty(RingTransport.NAME_PROPERTY)))
        .map(ServiceReference::getBundle)
        .findFirst();
  }
}
