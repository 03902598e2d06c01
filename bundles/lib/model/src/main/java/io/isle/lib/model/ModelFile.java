package io.isle.lib.model;

import io.isle.lib.signing.SigningKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A model file of the right size and hash (accelerator framework, 45.7); nothing else is known of
 * it. All numbers are little-endian. Both signatures are of the bytes before them and of the
 * parameters. Immutable: works on a copy of the file.
 *
 * <pre>
 *    0     4  magic, the bytes 45 4c 53 49
 *    4     4  version of this format, 1
 *    8     4  type of the body
 *   12     4  features
 *   16     4  outputs
 *   20     8  bytes of the parameters
 *   28     8  most time for one answer, in nanoseconds
 *   36    32  SHA-256 of bytes 0 to 35 and the parameters
 *   68    64  Ed25519
 *  132     2  bytes of the ML-DSA signature, 3309 or 4627
 *  134  4627  ML-DSA with an empty context, then zeros
 * 4761    29  zeros
 * 4790        parameters
 * </pre>
 */
public final class ModelFile {
  /** Bytes before the parameters. */
  public static final int HEADER_BYTES = 4790;

  /** Suffix of names of model files. */
  public static final String SUFFIX = ".islemodel";

  static final int MAGIC = 0x49534C45;
  static final int VERSION = 1;
  static final int HASHED_BYTES = 36;
  static final int SIGNED_BYTES = 68;
  static final int ED25519_AT = 68;
  static final int ML_DSA_LENGTH_AT = 132;
  static final int ML_DSA_AT = 134;
  static final int RESERVED_AT = 4761;

  private static final int HASH_BYTES = SIGNED_BYTES - HASHED_BYTES;

  private final byte[] file;
  private final ByteBuffer in;

  private ModelFile(byte[] file) {
    this.file = file;
    this.in = ByteBuffer.wrap(file).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Takes a file: magic, version, sizes and hash.
   *
   * @param bytes the file, copied first
   * @param maxParamBytes most bytes of parameters
   * @throws ModelException the first fault, with its place
   */
  public static ModelFile open(byte[] bytes, int maxParamBytes) {
    ModelFile file = new ModelFile(bytes.clone());
    file.requireFormat();
    file.requireSizes(maxParamBytes);
    file.requireHash();
    return file;
  }

  private void requireFormat() {
    if (file.length >= Integer.BYTES && in.getInt(0) != MAGIC) {
      throw new ModelException(
          ModelFault.BAD_MAGIC, "magic", hex(in.getInt(0)) + " is not " + hex(MAGIC));
    }
    if (file.length < HEADER_BYTES) {
      throw new ModelException(
          ModelFault.TRUNCATED,
          "header",
          "the file has " + file.length + " bytes, the header alone " + HEADER_BYTES);
    }
    if (in.getInt(4) != VERSION) {
      throw new ModelException(
          ModelFault.BAD_VERSION,
          "version",
          Integer.toUnsignedString(in.getInt(4)) + " is not " + VERSION);
    }
  }

  private void requireSizes(int maxParamBytes) {
    long size = in.getLong(20);
    if (Long.compareUnsigned(size, maxParamBytes) > 0) {
      throw new ModelException(
          ModelFault.TOO_LARGE,
          "param_size",
          Long.toUnsignedString(size) + " bytes are above " + maxParamBytes);
    }
    int there = file.length - HEADER_BYTES;
    if (there != size) {
      throw new ModelException(
          there < size ? ModelFault.TRUNCATED : ModelFault.TRAILING_BYTES,
          "param_size",
          size + " bytes are to follow the header, but " + there + " do");
    }
  }

  private void requireHash() {
    byte[] hash = hash(file);
    if (!MessageDigest.isEqual(hash, Arrays.copyOfRange(file, HASHED_BYTES, SIGNED_BYTES))) {
      throw new ModelException(
          ModelFault.BAD_HASH,
          "sha256_hash",
          sha256() + " is not the SHA-256 of the file, " + HexFormat.of().formatHex(hash));
    }
  }

  private static String hex(int number) {
    return "0x%08x".formatted(number);
  }

  private static byte[] hash(byte[] file) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(file, 0, HASHED_BYTES);
      digest.update(file, HEADER_BYTES, file.length - HEADER_BYTES);
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Makes a file without signatures. Checks nothing: the proof does.
   *
   * @param parameters {@link ModelParameters#bytes}
   */
  public static byte[] seal(
      ModelType type, int features, int outputs, long maxLatencyNs, byte[] parameters) {
    byte[] file =
        ByteBuffer.allocate(HEADER_BYTES + parameters.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC)
            .putInt(VERSION)
            .putInt(type.id())
            .putInt(features)
            .putInt(outputs)
            .putLong(parameters.length)
            .putLong(maxLatencyNs)
            .position(HEADER_BYTES)
            .put(parameters)
            .array();
    System.arraycopy(hash(file), 0, file, HASHED_BYTES, HASH_BYTES);
    return file;
  }

  /** The same file with signatures by this key, in the place of those it had. */
  public byte[] sign(SigningKey key) {
    byte[] signed = signed();
    byte[] mlDsa = key.signMlDsa(signed);
    byte[] result = file.clone();
    Arrays.fill(result, ED25519_AT, HEADER_BYTES, (byte) 0);
    ByteBuffer.wrap(result)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(ED25519_AT)
        .put(key.signEd25519(signed))
        .putShort((short) mlDsa.length)
        .put(mlDsa);
    return result;
  }

  /** What both signatures are of. */
  byte[] signed() {
    byte[] signed = Arrays.copyOf(file, SIGNED_BYTES + file.length - HEADER_BYTES);
    System.arraycopy(file, HEADER_BYTES, signed, SIGNED_BYTES, file.length - HEADER_BYTES);
    return signed;
  }

  byte[] ed25519() {
    return Arrays.copyOfRange(file, ED25519_AT, ML_DSA_LENGTH_AT);
  }

  int mlDsaLength() {
    return Short.toUnsignedInt(in.getShort(ML_DSA_LENGTH_AT));
  }

  byte[] mlDsa() {
    return Arrays.copyOfRange(file, ML_DSA_AT, ML_DSA_AT + mlDsaLength());
  }

  /** Whether all bytes of a part are zero. */
  boolean zero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (file[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** The number of the type, unsigned. */
  int type() {
    return in.getInt(8);
  }

  /** The number of features, unsigned. */
  int features() {
    return in.getInt(12);
  }

  /** The number of outputs, unsigned. */
  int outputs() {
    return in.getInt(16);
  }

  /** The header's latency, unsigned. */
  long maxLatencyNs() {
    return in.getLong(28);
  }

  /** The hash of header and parameters, 64 hexadecimal digits. */
  public String sha256() {
    return HexFormat.of().formatHex(file, HASHED_BYTES, SIGNED_BYTES);
  }

  /** The parameters, read only. */
  ByteBuffer parameters() {
    return in.slice(HEADER_BYTES, file.length - HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
