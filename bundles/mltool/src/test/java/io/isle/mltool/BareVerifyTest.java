package io.isle.mltool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.SigningKey;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class BareVerifyTest {
  /** RFC 8032, 7.1, test 2. */
  private static final String KEY =
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

  private static final String SIGNATURE =
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
          + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

  private static Run verify(String alg, String key, String msg, String sig, String... more) {
    String[] args = new String[9 + more.length];
    System.arraycopy(
        new String[] {"verify", "--alg", alg, "--key", key, "--msg", msg, "--sig", sig},
        0,
        args,
        0,
        9);
    System.arraycopy(more, 0, args, 9, more.length);
    return Run.of(args);
  }

  @Test
  void aValidSignatureExits0() {
    Run run = verify("ed25519", KEY, "72", SIGNATURE);
    assertEquals(new Run(0, "the signature is valid\n", ""), run);
    assertEquals(0, verify("ed25519", KEY.toUpperCase(Locale.ROOT), "72", SIGNATURE).code());
  }

  @Test
  void anInvalidOneOrAWrongLengthExits1() {
    assertEquals(
        new Run(1, "the signature is not valid\n", ""), verify("ed25519", KEY, "73", SIGNATURE));
    assertEquals(1, verify("ed25519", KEY, "", SIGNATURE).code());
    assertEquals(1, verify("ed25519", KEY + "00", "72", SIGNATURE).code());
    assertEquals(1, verify("ed25519", "", "72", SIGNATURE).code());
    assertEquals(1, verify("ed25519", KEY, "72", "").code());
    assertEquals(1, verify("ed25519", KEY, "72", SIGNATURE + "00").code());
    Run json = verify("ed25519", KEY, "72", "00", "--json");
    assertEquals(1, json.code());
    assertEquals(
        "{\"valid\":false,\"reason\":\"the signature does not have the length of the"
            + " algorithm\"}\n",
        json.out());
  }

  @Test
  void whatIsNoHexadecimalNumberExits2() {
    for (String bad : List.of("7", "zz", "0x72", " 72", "7 2")) {
      Run run = verify("ed25519", KEY, bad, SIGNATURE);
      assertEquals(2, run.code(), bad);
      assertTrue(run.err().startsWith("isle: --msg: the value is not pairs of hexadecimal digits"));
    }
    assertEquals(2, verify("ed25519", "xy", "72", SIGNATURE).code());
    assertEquals(2, verify("ed25519", KEY, "72", "xy").code());
    assertEquals(2, verify("ml-dsa-44", KEY, "72", SIGNATURE, "--ctx", "xy").code());
  }

  @Test
  void wrongArgumentsExit2() {
    assertEquals(2, verify("ed25519", KEY, "72", SIGNATURE, "--ctx", "").code());
    assertEquals(2, verify("ed25519", KEY, "72", SIGNATURE, "--ctx", "00").code());
    assertEquals(2, verify("rsa", KEY, "72", SIGNATURE).code());
    assertEquals(2, verify("ed25519", KEY, "72", SIGNATURE, "file").code());
    assertEquals(2, Run.of("verify", "--alg", "ed25519").code());
    assertEquals(2, Run.of("verify", "--key", KEY).code());
    assertEquals(2, Run.of("verify", "--batch", "file").code());
    assertEquals(2, Run.of("verify", "--batch", "--json").code());
  }

  @Test
  void mlDsaWithAndWithoutAContext() {
    SigningKey key =
        SigningKey.generate(
            new KeyInfo("k", LocalDate.of(2026, 1, 1), LocalDate.of(2026, 12, 31)),
            Algorithm.HYBRID_87);
    String open = HexFormat.of().formatHex(key.publicKey().rawMlDsa());
    String empty = HexFormat.of().formatHex(key.signMlDsa(new byte[0]));
    assertEquals(0, verify("ml-dsa-87", open, "", empty).code());
    assertEquals(0, verify("ml-dsa-87", open, "", empty, "--ctx", "").code());
    assertEquals(1, verify("ml-dsa-87", open, "", empty, "--ctx", "00").code());
    assertEquals(1, verify("ml-dsa-87", open, "", empty, "--ctx", "00".repeat(255)).code());
    assertEquals(
        "the context has more than 255 bytes\n",
        verify("ml-dsa-87", open, "", empty, "--ctx", "00".repeat(256)).out());
    assertEquals(1, verify("ml-dsa-65", open, "", empty).code());
  }
}
