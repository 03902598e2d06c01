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
import java.util.function.BooleanSupplier;

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
   * @throws SpinException EACCES naming what is wrong
   */
  void admit(BroughtHandlers brought) {
    if (!required.getAsBoolean()) {
      return;
    }
    byte[] file =
        brought
            .signature()
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
              brought.name(),
              brought.version(),
              brought.header(),
              brought.images().stream().map(HandlerImage::bytes).toList()));
    } catch (SigningException e) {
      throw new SpinException(Errno.EACCES, "signature: " + e.getMessage(), e);
    }
  }

  /** Changes with what {@link #admit} looks at, and daily, as keys come into force and expire. */
  public String rules() {
    return required.getAsBoolean()
        ? keys.fingerprint() + LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC)
        : "";
  }
}
