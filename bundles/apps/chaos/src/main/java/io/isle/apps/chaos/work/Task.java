package io.isle.apps.chaos.work;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * One piece of work on an input of {@link #INPUT} bytes, and what its result must be. Each differs
 * from the one before it, so that a result that was not written is seen.
 *
 * @param offset where in the input it reads {@link #LENGTH} bytes
 * @param pattern what it fills with
 * @param busyUs how long the device is busy first; 0 for not at all
 */
record Task(Kind kind, int offset, int pattern, int busyUs) {
  static final int INPUT = 64 << 10;
  static final int LENGTH = 16 << 10;
  static final int BLOCK = 4 << 10;
  private static final int DIGEST = 32;
  private static final int STEP = 64;
  private static final int MAX_BUSY_US = 4000;

  /** What is computed. */
  enum Kind {
    SHA256,
    COPY,
    FILL
  }

  /** The next one of a tenant. */
  static Task next(Random random) {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    int offset = random.nextInt((INPUT - LENGTH) / STEP) * STEP;
    return new Task(
        kind, offset, random.nextInt(), random.nextInt(4) == 0 ? random.nextInt(MAX_BUSY_US) : 0);
  }

  /** Bytes of the result. */
  int resultBytes() {
    return kind == Kind.SHA256 ? LENGTH / BLOCK * DIGEST : LENGTH;
  }

  /** Fingerprint of the result that this input must give. */
  long expected(byte[] input) {
    return switch (kind) {
      case SHA256 -> fingerprint(digests(input));
      case COPY -> fingerprint(Arrays.copyOfRange(input, offset, offset + LENGTH));
      case FILL -> fingerprint(filled());
    };
  }

  /** 64 bits of the length and a checksum. */
  static long fingerprint(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return ((long) bytes.length << 32) | crc.getValue();
  }

  private byte[] digests(byte[] input) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] all = new byte[resultBytes()];
      for (int i = 0; i < LENGTH / BLOCK; i++) {
        sha.update(input, offset + i * BLOCK, BLOCK);
        System.arraycopy(sha.digest(), 0, all, i * DIGEST, DIGEST);
      }
      return all;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] filled() {
    byte[] all = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      all[i] = (byte) (pattern >>> (8 * (i & 3)));
    }
    return all;
  }
}
