package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.lib.signing.DriverSignature;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.util.tracker.BundleTracker;

/** Extender: bundles with the header {@link HandlerHeader#HEADER} bring handlers, and no Java. */
public final class HandlerTracker extends BundleTracker<Long> {
  private static final System.Logger LOG = System.getLogger(HandlerTracker.class.getName());

  private final HandlerRegistry registry;
  private final Consumer<String> came;
  private final HandlerAdmission admission;

  /**
   * @param admission which bundles may bring handlers
   * @param came told the name of handlers that have come, maybe in another version
   */
  public HandlerTracker(
      BundleContext context,
      HandlerRegistry registry,
      HandlerAdmission admission,
      Consumer<String> came) {
    super(context, Bundle.ACTIVE, null);
    this.registry = registry;
    this.admission = admission;
    this.came = came;
  }

  @Override
  public Long addingBundle(Bundle bundle, BundleEvent event) {
    String header = bundle.getHeaders("").get(HandlerHeader.HEADER);
    if (header == null) {
      return null;
    }
    List<HandlerImage> images = new ArrayList<>();
    try {
      for (HandlerHeader one : HandlerHeader.parse(header)) {
        images.add(
            new HandlerImage(
                one.name(), bytes(bundle, one.entry(), HandlerImage.MAX_BYTES), one.rules()));
      }
      admission.admit(
          bundle.getSymbolicName(),
          bundle.getVersion().toString(),
          header,
          images,
          () -> signature(bundle));
    } catch (IsleException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} {1}: {2}",
          bundle.getSymbolicName(),
          bundle.getVersion(),
          e.getMessage());
      return null;
    }
    for (HandlerImage image : images) {
      registry.add(bundle.getBundleId(), image);
      came.accept(image.name());
    }
    return bundle.getBundleId();
  }

  private static Optional<byte[]> signature(Bundle bundle) {
    return bundle.getEntry(DriverSignature.ENTRY) == null
        ? Optional.empty()
        : Optional.of(bytes(bundle, DriverSignature.ENTRY, DriverSignature.MAX_BYTES));
  }

  private static byte[] bytes(Bundle bundle, String entry, int most) {
    URL url = bundle.getEntry(entry);
    if (url == null) {
      throw new SpinException(
          Errno.ENOENT, HandlerHeader.HEADER + ": the bundle has no entry " + entry);
    }
    try (InputStream in = url.openStream()) {
      return in.readNBytes(most + 1);
    } catch (IOException e) {
      throw new SpinException(Errno.EIO, "cannot read " + entry + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void removedBundle(Bundle bundle, BundleEvent event, Long id) {
    registry.remove(id);
  }
}
