package io.isle.lib.signing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KeyFilesTest {
  private static final String PUBLIC = Keys.KEY.publicKey().text();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void refused(String text, String why) {
    SigningException bad =
        assertThrows(SigningException.class, () -> TrustedKey.parse(bytes(text)));
    assertEquals(Errno.EINVAL, bad.code());
    assertEquals(why, bad.getMessage());
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    TrustedKey read = TrustedKey.parse(bytes("# for tests\n\n" + PUBLIC.replace("\n", "\r\n")));
    assertEquals(Keys.KEY.publicKey().id(), read.id());
    assertEquals(Keys.INFO, read.info());
    SigningKey again = SigningKey.parse(bytes(Keys.KEY.text()));
    assertEquals(Keys.KEY.publicKey().id(), again.publicKey().id());
    DriverSignature.parse(DriverSignature.sign(Keys.STATEMENT, again))
        .verify(Keys.KEY.publicKey(), Keys.STATEMENT);
  }

  @Test
  void aMistakeIsNamedWithItsFieldOrLine() {
    refused("", "the field isle-public-key is missing");
    refused(PUBLIC + "name: twice\n", "line 8: the field name is given twice");
    String fields =
        "isle-public-key, name, not-before, not-after, algorithm, ed25519, ml-dsa-65, ml-dsa-87";
    refused("colour: red\n" + PUBLIC, "line 1 begins with none of the fields " + fields);
    refused("\nno colon\n" + PUBLIC, "line 2 begins with none of the fields " + fields);
    refused(PUBLIC.replace("key: 1", "key: 2"), "isle-public-key: the value is not 1");
    refused(PUBLIC.replace("0x0200", "0x0001"), "algorithm: the value is not 0x0200 or 0x0201");
    refused(
        PUBLIC.replace("name: tests", "name: a b"),
        "name: 1 to 64 letters, digits, '.', '_' and '-' are needed");
    refused(
        PUBLIC.replace("2026-12-31", "31.12.2026"),
        "not-after: the value is not a date such as 2026-12-31");
    refused(
        PUBLIC.replace("2026-12-31", "2025-12-31"),
        "not-after: 2025-12-31 is before not-before, 2026-01-01");
    refused(PUBLIC.replaceFirst("ed25519: .", "ed25519: %"), "ed25519: the value is not Base64");
    refused(
        PUBLIC.replaceFirst("ed25519: .*", "ed25519: AAAA"),
        "ed25519: the value is not a public key of Ed25519");
    refused("#".repeat(TrustedKey.MAX_BYTES + 1), "the file has more than 16384 bytes");
  }

  @Test
  void aFileThatIsNoTextIsRefused() {
    SigningException bad =
        assertThrows(SigningException.class, () -> TrustedKey.parse(new byte[] {(byte) 0xff}));
    assertEquals("the file is not valid UTF-8", bad.getMessage());
  }

  @Test
  void theFieldsAreThoseOfTheAlgorithm() {
    refused(PUBLIC.replace("0x0200", "0x0201"), "the field ml-dsa-87 is missing");
    String both = PUBLIC + PUBLIC.lines().toList().getLast().replace("65:", "87:") + "\n";
    refused(both, "ml-dsa-87: the field does not belong to a key of 0x0200");
    refused(
        both.replace("0x0200", "0x0201"),
        "ml-dsa-65: the field does not belong to a key of 0x0201");
  }

  @Test
  void aKeyOfTheLargestParameterSetIsReadAgain() {
    SigningKey large = SigningKey.generate(Keys.INFO, Algorithm.HYBRID_87);
    SigningKey again = SigningKey.parse(bytes(large.text()));
    TrustedKey read = TrustedKey.parse(bytes(large.publicKey().text()));
    assertEquals(large.publicKey().id(), again.publicKey().id());
    assertEquals(large.publicKey().id(), read.id());
    assertEquals(Algorithm.HYBRID_87, read.algorithm());
    assertEquals(2592, read.rawMlDsa().length);
    assertEquals(4627, again.signMlDsa(new byte[1]).length);
    assertEquals(1952, Keys.KEY.publicKey().rawMlDsa().length);
    assertEquals(32, read.rawEd25519().length);
  }

  @Test
  void aKeyOfTheLargestParameterSetSignsNoDriver() {
    SigningKey large = SigningKey.generate(Keys.INFO, Algorithm.HYBRID_87);
    String why =
        "key "
            + large.publicKey().label()
            + " is of Ed25519+ML-DSA-87, but signatures of drivers need Ed25519+ML-DSA-65";
    SigningException bad =
        assertThrows(SigningException.class, () -> DriverSignature.sign(Keys.STATEMENT, large));
    assertEquals(why, bad.getMessage());
    DriverSignature good = DriverSignature.parse(DriverSignature.sign(Keys.STATEMENT, Keys.KEY));
    bad =
        assertThrows(SigningException.class, () -> good.verify(large.publicKey(), Keys.STATEMENT));
    assertEquals(why, bad.getMessage());
    assertEquals(Errno.EACCES, bad.code());
  }

  /** A weaker parameter set must not pass for the one that the file names. */
  @Test
  void aKeyOfAnotherParameterSetIsRefused() {
    byte[] weaker = Crypto.generate(Algorithm.ML_DSA_44).getPublic().getEncoded();
    refused(
        PUBLIC.replaceFirst(
            "ml-dsa-65: .*", "ml-dsa-65: " + Base64.getEncoder().encodeToString(weaker)),
        "ml-dsa-65: the value is not a public key of ML-DSA-65");
  }

  @Test
  void bytesBehindAKeyAreRefused() {
    byte[] key = Keys.KEY.publicKey().ed25519().getEncoded();
    String longer = Base64.getEncoder().encodeToString(Arrays.copyOf(key, key.length + 1));
    refused(
        PUBLIC.replaceFirst("ed25519: .*", "ed25519: " + longer),
        "ed25519: the value is not a public key of Ed25519");
  }

  /** Signatures by it would hold for nobody. */
  @Test
  void aSecretOfAnotherKeyIsRefused() {
    String other = SigningKey.generate(Keys.INFO).text();
    for (String field : List.of("ed25519-private", "ml-dsa-65-private")) {
      String line = other.lines().filter(each -> each.startsWith(field)).findFirst().orElseThrow();
      String mixed = Keys.KEY.text().replaceFirst(field + ": .*", Matcher.quoteReplacement(line));
      SigningException bad =
          assertThrows(SigningException.class, () -> SigningKey.parse(bytes(mixed)));
      assertEquals(field + ": the private key does not belong to the public key", bad.getMessage());
    }
  }

  @Test
  void aKeyCountsFromItsFirstDayToItsLast() {
    TrustedKey key = Keys.KEY.publicKey();
    key.requireValid(LocalDate.of(2026, 1, 1));
    key.requireValid(LocalDate.of(2026, 12, 31));
    SigningException old =
        assertThrows(SigningException.class, () -> key.requireValid(LocalDate.of(2027, 1, 1)));
    assertEquals("key " + key.label() + " has expired: not-after is 2026-12-31", old.getMessage());
    SigningException early =
        assertThrows(SigningException.class, () -> key.requireValid(LocalDate.of(2025, 12, 31)));
    assertEquals(
        "key " + key.label() + " is not valid yet: not-before is 2026-01-01", early.getMessage());
  }

  @Property(tries = 1000)
  void anyFileIsReadOrRefused(@ForAll @Size(max = 300) byte[] file) {
    SigningException refused = assertThrows(SigningException.class, () -> TrustedKey.parse(file));
    assertEquals(Errno.EINVAL, refused.code());
  }

  @Property(tries = 1000)
  void anyTextIsReadOrRefused(@ForAll String text) {
    SigningException refused =
        assertThrows(SigningException.class, () -> SigningKey.parse(bytes(text)));
    assertTrue(!refused.getMessage().isBlank());
  }
}
