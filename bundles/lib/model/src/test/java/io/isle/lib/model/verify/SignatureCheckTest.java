package io.isle.lib.model.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.SigningKey;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SignatureCheckTest {
  private static final KeyInfo INFO =
      new KeyInfo("tests", LocalDate.of(2026, 1, 1), LocalDate.of(2026, 12, 31));
  private static final List<SigningKey> KEYS =
      Algorithm.hybrids().stream().map(each -> SigningKey.generate(INFO, each)).toList();
  private static final byte[] NONE = {};
  private static final Vector GOOD = Vector.of("rfc8032.txt").get(1);

  /** Order of the group, 2^252 + 27742317777372353535851937790883648493. */
  private static final BigInteger ORDER =
      BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));

  private static Verdict ed25519(byte[] key, byte[] signature) {
    return SignatureCheck.verify(Algorithm.ED25519, key, GOOD.message(), signature);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** The JDK signs, and this verifies: two independent implementations. */
  @Property(tries = 20)
  void signaturesOfTheJdkHoldUntilABitIsFlipped(
      @ForAll @Size(max = 300) byte[] message, @ForAll int where) {
    for (SigningKey key : KEYS) {
      check(
          Algorithm.ED25519,
          key.publicKey().rawEd25519(),
          message,
          key.signEd25519(message),
          where);
      check(
          key.publicKey().algorithm().second(),
          key.publicKey().rawMlDsa(),
          message,
          key.signMlDsa(message),
          where);
    }
  }

  private static void check(
      Algorithm algorithm, byte[] key, byte[] message, byte[] signature, int where) {
    assertEquals(Verdict.VALID, SignatureCheck.verify(algorithm, key, message, signature));
    byte[] flipped = signature.clone();
    int bit = Math.floorMod(where, 8 * signature.length);
    flipped[bit / 8] ^= (byte) (1 << bit % 8);
    assertEquals(Verdict.BAD_SIGNATURE, SignatureCheck.verify(algorithm, key, message, flipped));
    byte[] longer = Arrays.copyOf(message, message.length + 1);
    assertEquals(Verdict.BAD_SIGNATURE, SignatureCheck.verify(algorithm, key, longer, signature));
  }

  @Test
  void eachLengthIsChecked() {
    for (Algorithm algorithm :
        List.of(Algorithm.ED25519, Algorithm.ML_DSA_44, Algorithm.ML_DSA_65, Algorithm.ML_DSA_87)) {
      int keyBytes = algorithm.keyBytes();
      int signatureBytes = algorithm.signatureBytes();
      for (int more : new int[] {-1, 1}) {
        assertEquals(
            Verdict.KEY_LENGTH,
            SignatureCheck.verify(
                algorithm, new byte[keyBytes + more], NONE, new byte[signatureBytes]));
        assertEquals(
            Verdict.SIGNATURE_LENGTH,
            SignatureCheck.verify(
                algorithm, new byte[keyBytes], NONE, new byte[signatureBytes + more]));
      }
      assertEquals(Verdict.KEY_LENGTH, SignatureCheck.verify(algorithm, NONE, NONE, NONE));
    }
  }

  @Test
  void aContextHasAtMost255Bytes() {
    Vector kat = Vector.of("kat-ml-dsa.txt.gz").getFirst();
    assertEquals(
        Verdict.CONTEXT_LENGTH,
        SignatureCheck.verify(
            kat.algorithm(), kat.key(), kat.message(), kat.signature(), new byte[256]));
    assertEquals(
        Verdict.BAD_SIGNATURE,
        SignatureCheck.verify(
            kat.algorithm(), kat.key(), kat.message(), kat.signature(), new byte[255]));
    assertEquals(
        Verdict.BAD_SIGNATURE,
        SignatureCheck.verify(kat.algorithm(), kat.key(), kat.message(), kat.signature()));
  }

  @Test
  void aHybridAlgorithmOrAContextOfEd25519IsAMistakeOfTheCaller() {
    assertThrows(
        IllegalArgumentException.class,
        () -> SignatureCheck.verify(Algorithm.HYBRID, NONE, NONE, NONE));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            SignatureCheck.verify(
                Algorithm.ED25519, GOOD.key(), NONE, GOOD.signature(), new byte[1]));
  }

  /** S + L passes the equation, but makes a second signature of the same message. */
  @Test
  void aScalarOfTheOrderOrMoreIsRefused() {
    byte[] scalar = Arrays.copyOfRange(GOOD.signature(), 32, 64);
    assertEquals(Verdict.VALID, ed25519(GOOD.key(), GOOD.signature()));
    assertEquals(Verdict.BAD_SIGNATURE, ed25519(GOOD.key(), withScalar(number(scalar).add(ORDER))));
    assertEquals(Verdict.BAD_SIGNATURE, ed25519(GOOD.key(), withScalar(ORDER)));
  }

  private static BigInteger number(byte[] littleEndian) {
    return new BigInteger(1, reversed(littleEndian));
  }

  private static byte[] withScalar(BigInteger scalar) {
    byte[] big = scalar.toByteArray();
    byte[] signature = Arrays.copyOf(Arrays.copyOf(GOOD.signature(), 32), 64);
    System.arraycopy(reversed(big), 0, signature, 32, big.length);
    return signature;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[bytes.length - 1 - i] = bytes[i];
    }
    return result;
  }

  /** The neutral point, S = 0 and R the neutral point: the RFC's equation holds for any message. */
  @Test
  void aPointOfSmallOrderIsAPoint() {
    String neutral = "01" + "00".repeat(31);
    assertEquals(Verdict.VALID, ed25519(hex(neutral), hex(neutral + "00".repeat(32))));
    byte[] other = hex(neutral + "01" + "00".repeat(31));
    assertEquals(Verdict.BAD_SIGNATURE, ed25519(hex(neutral), other));
    assertEquals(
        Verdict.BAD_SIGNATURE,
        SignatureCheck.verify(
            Algorithm.ED25519, hex(neutral), GOOD.message(), concat(hex(neutral), ORDER)));
  }

  /** [S]B = R for S = 1: the base point itself. */
  @Test
  void aSignatureByAPointOfSmallOrderMayHaveAnyScalar() {
    String base = "58" + "66".repeat(31);
    String one = "01" + "00".repeat(31);
    for (String point :
        List.of(
            "00".repeat(32),
            "00".repeat(31) + "80",
            "ec" + "ff".repeat(30) + "7f",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85")) {
      assertEquals(Verdict.VALID, ed25519(hex(point), hex(base + one)), point);
      assertEquals(Verdict.BAD_SIGNATURE, ed25519(hex(point), hex(base + "00".repeat(32))), point);
      assertFalse(SignatureCheck.strong(hex(point)), point);
    }
    assertTrue(SignatureCheck.strong(GOOD.key()));
  }

  private static byte[] concat(byte[] point, BigInteger scalar) {
    byte[] signature = withScalar(scalar);
    System.arraycopy(point, 0, signature, 0, point.length);
    return signature;
  }

  @Test
  void aPointThatIsNotCanonicalIsRefused() {
    String neutral = "01" + "00".repeat(31);
    String zero = "00".repeat(32);
    List<String> bad =
        List.of(
            "ee" + "ff".repeat(30) + "7f", // p + 1: the neutral point again
            "ed" + "ff".repeat(30) + "7f", // p
            "01" + "00".repeat(30) + "80", // x = 0 with the sign of an odd x
            "ec" + "ff".repeat(30) + "ff", // the same of y = -1
            "ff".repeat(32),
            "02" + "00".repeat(31)); // on no point of the curve
    for (String point : bad) {
      assertEquals(Verdict.BAD_KEY, ed25519(hex(point), hex(neutral + zero)), point);
      assertEquals(Verdict.BAD_SIGNATURE, ed25519(hex(neutral), hex(point + zero)), point);
    }
  }
}
