package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.HandlerStatements;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import io.isle.lib.signing.TrustedKeys;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Which bundles may bring handlers: any, or only those that a trusted key of drivers has signed.
 *
 * @param required whether a signature is
 * @param clock for the validity of keys; days are UTC
 */
public record HandlerAdmission(BooleanSupplier required, TrustedKeys keys, Clock clock) {
  /**
   * Looks before anything of the images runs.
   *
   * @param bundle symbolic name
   * @param header value of {@link HandlerHeader#HEADER}
   * @param signature bytes of {@link DriverSignature#ENTRY}, if the bundle has it
   * @throws SpinException EACCES naming what is wrong
   */
  void admit(
      String bundle,
      String version,
      String header,
      List<HandlerImage> images,
      Supplier<Optional<byte[]>> signature) {
    if (!required.getAsBoolean()) {
      return;
    }
    byte[] file =
        signature
            .get()
            .orElseThrow(
                () ->
                    new SpinException(
                        Errno.EACCES,
                        "signature: the bundle has none ("
                            + DriverSignature.ENTRY
                            + "), which signatures = required in io.isle.drivers.cfg demands; sign"
                            + " the bundle with isle-sign of the SDK"));
    try {
      DriverSignature parsed = DriverSignature.parse(file);
      LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
      TrustedKey key = keys.of(parsed.keyId(), parsed.keyLabel(), today);
      parsed.verify(
          key,
          HandlerStatements.of(
              bundle, version, header, images.stream().map(HandlerImage::bytes).toList()));
    } catch (SigningException e) {
      throw new SpinException(Errno.EACCES, "signature: " + e.getMessage(), e);
    }
  }
}
