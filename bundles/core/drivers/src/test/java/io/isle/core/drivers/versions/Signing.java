package io.isle.core.drivers.versions;

import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.DriverStatement;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.SigningKey;
import io.isle.lib.signing.TrustedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** A key of 2026 and what it signs, in the middle of that year. */
final class Signing {
  static final SigningKey KEY =
      SigningKey.generate(
          new KeyInfo("tests", LocalDate.of(2026, 1, 1), LocalDate.of(2026, 12, 31)));
  static final Instant NOW = Instant.parse("2026-06-30T12:00:00Z");

  private Signing() {}

  static void trust(Path folder, String file, SigningKey key) throws IOException {
    Files.writeString(Files.createDirectories(folder).resolve(file), key.publicKey().text());
  }

  static Admission required(Path folder, Instant now) {
    return new Admission(true, new TrustedKeys(folder), Clock.fixed(now, ZoneOffset.UTC));
  }

  /** Writes the signature of a library beside it. */
  static void sign(Path library, String bundle, String version, SigningKey key) throws IOException {
    DriverStatement statement =
        new DriverStatement(bundle, version, "compute", Admission.sha256(library));
    Files.write(GoodLibraries.signature(library), DriverSignature.sign(statement, key));
  }
}
