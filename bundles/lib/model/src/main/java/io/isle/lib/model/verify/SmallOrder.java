package io.isle.lib.model.verify;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Verifies signatures by the eight points of small order, which the library refuses as keys. Eight
 * times such a point is the neutral point, so that RFC 8032's equation is [8][S]B = [8]R, whatever
 * the message. The library verifies this as a signature by the base point, whose secret is 1.
 */
final class SmallOrder {
  private static final Set<String> POINTS =
      Set.of(
          "01" + "00".repeat(31),
          "ec" + "ff".repeat(30) + "7f",
          "00".repeat(32),
          "00".repeat(31) + "80",
          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
          "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
          "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85");

  private static final byte[] BASE = HexFormat.of().parseHex("58" + "66".repeat(31));
  private static final BigInteger ORDER =
      BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
  private static final int HALF = 32;

  private SmallOrder() {}

  /** Whether a key is the canonical encoding of such a point. */
  static boolean contains(byte[] key) {
    return POINTS.contains(HexFormat.of().formatHex(key));
  }

  /** Whether a signature of 64 bytes is one of any message by such a point. */
  static boolean verifies(byte[] signature) {
    BigInteger scalar = number(Arrays.copyOfRange(signature, HALF, 2 * HALF));
    if (scalar.compareTo(ORDER) >= 0) {
      return false;
    }
    byte[] moved = signature.clone();
    put(scalar.add(challenge(signature)).mod(ORDER), moved);
    return Ed25519.verify(moved, 0, BASE, 0, new byte[0], 0, 0);
  }

  /** What the base point's signature of the empty message is multiplied with. */
  private static BigInteger challenge(byte[] signature) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-512");
      digest.update(signature, 0, HALF);
      return number(digest.digest(BASE));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-512", e);
    }
  }

  private static BigInteger number(byte[] littleEndian) {
    byte[] big = new byte[littleEndian.length];
    for (int i = 0; i < big.length; i++) {
      big[i] = littleEndian[big.length - 1 - i];
    }
    return new BigInteger(1, big);
  }

  private static void put(BigInteger scalar, byte[] signature) {
    BigInteger rest = scalar;
    for (int i = HALF; i < 2 * HALF; i++) {
      signature[i] = rest.byteValue();
      rest = rest.shiftRight(Byte.SIZE);
    }
  }
}
