package io.isle.lib.signing;

import java.time.LocalDate;

/** A key for all tests: making one takes a while. */
final class Keys {
  static final KeyInfo INFO =
      new KeyInfo("tests", LocalDate.of(2026, 1, 1), LocalDate.of(2026, 12, 31));
  static final SigningKey KEY = SigningKey.generate(INFO);
  static final DriverStatement STATEMENT =
      new DriverStatement("com.example.demo", "1.0.0", "compute", "ab".repeat(32));

  private Keys() {}
}
