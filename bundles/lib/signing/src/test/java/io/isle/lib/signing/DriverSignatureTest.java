package io.isle.lib.signing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DriverSignatureTest {
  private static final int TEXTS = "com.example.demo1.0.0compute".length();
  private static final int ED25519 = DriverSignature.HEADER_BYTES + TEXTS;
  private static final int ML_DSA = ED25519 + DriverSignature.ED25519_BYTES;

  private final byte[] file = DriverSignature.sign(Keys.STATEMENT, Keys.KEY);

  private static void denied(byte[] file, DriverStatement found, TrustedKey key, String why) {
    DriverSignature signature = DriverSignature.parse(file);
    SigningException denied =
        assertThrows(SigningException.class, () -> signature.verify(key, found));
    assertEquals(Errno.EACCES, denied.code());
    assertEquals(why, denied.getMessage());
  }

  private static void malformed(byte[] file, String why) {
    SigningException bad = assertThrows(SigningException.class, () -> DriverSignature.parse(file));
    assertEquals(Errno.EINVAL, bad.code());
    assertEquals(why, bad.getMessage());
  }

  @Test
  void whatWasSignedHolds() {
    DriverSignature signature = DriverSignature.parse(file);
    assertEquals(Keys.STATEMENT, signature.statement());
    assertEquals(Keys.KEY.publicKey().id(), signature.keyId());
    assertEquals(ML_DSA + DriverSignature.ML_DSA_65_BYTES, file.length);
    signature.verify(Keys.KEY.publicKey(), Keys.STATEMENT);
  }

  private static Stream<Arguments> alterations() {
    String zero = "00".repeat(32);
    String signed = "ab".repeat(32);
    return Stream.of(
        Arguments.of(
            new DriverStatement("com.example.other", "1.0.0", "compute", signed),
            "the bundle's name is com.example.other, but com.example.demo was signed"),
        Arguments.of(
            new DriverStatement("com.example.demo", "1.0.1", "compute", signed),
            "the bundle's version is 1.0.1, but 1.0.0 was signed"),
        Arguments.of(
            new DriverStatement("com.example.demo", "1.0.0", "gpu", signed),
            "the sandbox profile is gpu, but compute was signed"),
        Arguments.of(
            new DriverStatement("com.example.demo", "1.0.0", "compute", zero),
            "the library's SHA-256 is " + zero + ", but " + signed + " was signed"));
  }

  @ParameterizedTest
  @MethodSource("alterations")
  void whatWasAlteredIsNamed(DriverStatement found, String why) {
    TrustedKey key = Keys.KEY.publicKey();
    denied(file, found, key, "key " + key.label() + " signed a different driver: " + why);
  }

  @Test
  void anotherKeyIsNotTheOneThatSigned() {
    TrustedKey other = SigningKey.generate(Keys.INFO).publicKey();
    denied(
        file,
        Keys.STATEMENT,
        other,
        "key "
            + other.label()
            + " did not sign this driver; the signature names key "
            + Keys.KEY.publicKey().id().substring(0, 16));
  }

  /** Its texts are those of the bundle, but the author did not sign that. */
  @Test
  void aStatementThatWasPutInTheSignedOnesPlaceDoesNotHold() {
    byte[] forged = file.clone();
    forged[DriverSignature.HEADER_BYTES] = 'x';
    denied(
        forged,
        new DriverStatement("xom.example.demo", "1.0.0", "compute", "ab".repeat(32)),
        Keys.KEY.publicKey(),
        "key " + Keys.KEY.publicKey().label() + " did not make the Ed25519 signature");
  }

  /** Nobody's statement is passed on as that of a key. */
  @Test
  void whatIsSignedIsNotToldBeforeTheSignaturesHold() {
    byte[] forged = file.clone();
    forged[DriverSignature.HEADER_BYTES] = 'x';
    denied(
        forged,
        Keys.STATEMENT,
        Keys.KEY.publicKey(),
        "key " + Keys.KEY.publicKey().label() + " did not make the Ed25519 signature");
  }

  @Test
  void bothSignaturesMustHold() {
    byte[] first = file.clone();
    first[ED25519 + 5] ^= 1;
    byte[] second = file.clone();
    second[ML_DSA + 5] ^= 1;
    String key = "key " + Keys.KEY.publicKey().label();
    denied(
        first, Keys.STATEMENT, Keys.KEY.publicKey(), key + " did not make the Ed25519 signature");
    denied(
        second,
        Keys.STATEMENT,
        Keys.KEY.publicKey(),
        key + " did not make the ML-DSA-65 signature");
  }

  /** Half of a key that is trusted, half of another. */
  @Test
  void aSignatureWithHalfOfATrustedKeyDoesNotHold() {
    SigningKey other = SigningKey.generate(Keys.INFO);
    byte[] mixed = file.clone();
    byte[] signed = Arrays.copyOf(file, ED25519);
    System.arraycopy(other.signMlDsa(signed), 0, mixed, ML_DSA, DriverSignature.ML_DSA_65_BYTES);
    denied(
        mixed,
        Keys.STATEMENT,
        Keys.KEY.publicKey(),
        "key " + Keys.KEY.publicKey().label() + " did not make the ML-DSA-65 signature");
  }

  @Test
  void malformedFilesAreNamedForWhatTheyAre() {
    malformed(new byte[0], "the signature file is cut off: 0 bytes, but the header alone has 80");
    int length = file.length;
    malformed(
        Arrays.copyOf(file, length - 1),
        "the signature file is cut off: "
            + (length - 1)
            + " bytes instead of the header's "
            + length);
    malformed(
        Arrays.copyOf(file, length + 1),
        "the signature file is too long: "
            + (length + 1)
            + " bytes instead of the header's "
            + length);
    malformed(new byte[DriverSignature.MAX_BYTES + 1], "the file has more than 4989 bytes");
    malformed(with(0, 'X'), "the signature file does not begin with ISIG");
    malformed(with(4, 2), "format version: 2 is not 1");
    malformed(with(7, 3), "algorithm: id 0x0300 is unknown");
    malformed(with(78, 1), "reserved: the field is not 0");
    malformed(with(DriverSignature.HEADER_BYTES, 0xff), "name: the text is not valid UTF-8");
    malformed(
        with(DriverSignature.HEADER_BYTES, '\n'),
        "name: 1 to 512 bytes of printable text are needed");
  }

  @Test
  void oneAlgorithmAloneIsNotEnough() {
    byte[] alone = with(6, 1);
    alone[7] = 0;
    malformed(
        alone, "algorithm: Ed25519 alone is not enough; Ed25519 and ML-DSA-65 are needed together");
  }

  @Test
  void aLengthThatReachesBeyondTheFileIsNotFollowed() {
    byte[] far = with(72, 0xff);
    far[73] = (byte) 0xff;
    malformed(
        far,
        "the signature file is cut off: "
            + far.length
            + " bytes instead of the header's "
            + (far.length + 0xffff - "com.example.demo".length()));
  }

  private byte[] with(int at, int value) {
    byte[] changed = file.clone();
    changed[at] = (byte) value;
    return changed;
  }
}
