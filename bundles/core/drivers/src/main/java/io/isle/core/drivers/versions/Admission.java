package io.isle.core.drivers.versions;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.DriverStatement;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import io.isle.lib.signing.TrustedKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Which libraries may be loaded: any, or only those that a trusted key has signed. Immutable.
 *
 * @param required whether a signature is
 * @param clock for the validity of keys; days are UTC
 */
public record Admission(boolean required, TrustedKeys keys, Clock clock) {
  /** Any library. */
  public static final Admission OPEN =
      new Admission(false, new TrustedKeys(Path.of("")), Clock.systemUTC());

  /**
   * A library that is to be loaded.
   *
   * @param bundle symbolic name of the bundle that brought it
   * @param profile of its sandbox
   * @param signature where its signature is, if it has one
   */
  record Candidate(String bundle, String version, String profile, Path library, Path signature) {
    /** Name and version. */
    String source() {
      return bundle + " " + version;
    }
  }

  /**
   * Looks before anything of the library runs.
   *
   * @throws DriverException EACCES naming the key and what is wrong
   */
  void admit(Candidate candidate) {
    if (!required) {
      return;
    }
    try {
      String ignored = verify(candidate);
    } catch (SigningException e) {
      throw new DriverException(Errno.EACCES, "signature: " + e.getMessage(), e);
    }
  }

  /** Id of the key that has signed it, whether or not one must have; empty if none that counts. */
  Optional<String> signer(Candidate candidate) {
    try {
      return Optional.of(verify(candidate));
    } catch (SigningException | DriverException e) {
      return Optional.empty();
    }
  }

  private String verify(Candidate candidate) {
    if (!Files.isRegularFile(candidate.signature())) {
      throw new SigningException(
          Errno.EACCES,
          "the bundle has no signature ("
              + DriverSignature.ENTRY
              + "), which signatures = required in io.isle.drivers.cfg demands; sign the bundle"
              + " with isle-sign of the SDK");
    }
    DriverSignature signature = DriverSignature.parse(read(candidate.signature()));
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    TrustedKey key = keys.of(signature.keyId(), signature.keyLabel(), today);
    signature.verify(
        key,
        new DriverStatement(
            candidate.bundle(),
            candidate.version(),
            candidate.profile(),
            sha256(candidate.library())));
    return signature.keyId();
  }

  private static byte[] read(Path signature) {
    try (InputStream in = Files.newInputStream(signature)) {
      return in.readNBytes(DriverSignature.MAX_BYTES + 1);
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot read " + signature + ": " + e.getMessage(), e);
    }
  }

  /** 64 hexadecimal digits. */
  static String sha256(Path library) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(library), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot read " + library + ": " + e.getMessage(), e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
