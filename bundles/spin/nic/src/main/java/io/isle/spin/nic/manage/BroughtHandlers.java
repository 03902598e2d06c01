package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.lib.signing.DriverSignature;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.Bundle;

/**
 * What a bundle brings. Immutable.
 *
 * @param bundle id
 * @param name symbolic name
 * @param version of the bundle
 * @param header value of {@link HandlerHeader#HEADER}
 * @param signature bytes of {@link DriverSignature#ENTRY}, if the bundle has it
 */
record BroughtHandlers(
    long bundle,
    String name,
    String version,
    String header,
    List<HandlerImage> images,
    Optional<byte[]> signature) {
  BroughtHandlers {
    images = List.copyOf(images);
  }

  /**
   * Reads a bundle.
   *
   * @throws SpinException naming the mistake
   */
  static BroughtHandlers of(Bundle bundle, String header) {
    List<HandlerImage> images = new ArrayList<>();
    for (HandlerHeader one : HandlerHeader.parse(header)) {
      byte[] bytes =
          bytes(bundle, one.entry(), HandlerImage.MAX_BYTES)
              .orElseThrow(
                  () ->
                      new SpinException(
                          Errno.ENOENT,
                          HandlerHeader.HEADER + ": the bundle has no entry " + one.entry()));
      images.add(new HandlerImage(one.name(), bytes, one.rules()));
    }
    return new BroughtHandlers(
        bundle.getBundleId(),
        bundle.getSymbolicName(),
        bundle.getVersion().toString(),
        header,
        images,
        bytes(bundle, DriverSignature.ENTRY, DriverSignature.MAX_BYTES));
  }

  /** One more byte than possible of a longer entry, which is refused then. */
  private static Optional<byte[]> bytes(Bundle bundle, String entry, int most) {
    URL url = bundle.getEntry(entry);
    if (url == null) {
      return Optional.empty();
    }
    try (InputStream in = url.openStream()) {
      return Optional.of(in.readNBytes(most + 1));
    } catch (IOException e) {
      throw new SpinException(Errno.EIO, "cannot read " + entry + ": " + e.getMessage(), e);
    }
  }

  /** Name and version. */
  String text() {
    return name + " " + version;
  }
}
