package io.isle.apps.blockhash;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The blocks of a file, one after the other, and the hash of each. Used by one thread. */
final class Blocks {
  private static final int CHUNK = 1 << 16;

  private final InputStream in;
  private final long size;
  private final MessageDigest digest;
  private final byte[] chunk;
  private long count;
  private long length;
  private String hash = "";

  /**
   * @param size bytes of each block but the last
   */
  Blocks(InputStream in, long size) {
    this.in = in;
    this.size = size;
    this.chunk = new byte[(int) Math.min(CHUNK, size)];
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Reads a block.
   *
   * @param flip whether its first bit counts as the other one
   * @return false when there is no further block
   */
  boolean next(boolean flip) throws IOException {
    length = 0;
    while (length < size) {
      int read = in.read(chunk, 0, (int) Math.min(chunk.length, size - length));
      if (read < 0) {
        break;
      }
      if (flip && length == 0 && read > 0) {
        chunk[0] ^= 1;
      }
      digest.update(chunk, 0, read);
      length += read;
    }
    if (length == 0) {
      return false;
    }
    hash = HexFormat.of().formatHex(digest.digest());
    count++;
    return true;
  }

  /** Of the block that was read, in hexadecimal digits. */
  String hash() {
    return hash;
  }

  /** Bytes of the block that was read. */
  long length() {
    return length;
  }

  /** Blocks that were read. */
  long count() {
    return count;
  }
}
