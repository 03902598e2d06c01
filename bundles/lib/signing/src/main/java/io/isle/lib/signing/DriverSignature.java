package io.isle.lib.signing;

import io.isle.api.base.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * The file {@link #ENTRY} of a driver's bundle: what is signed, then both signatures of it. Numbers
 * are little-endian; both signatures are of all bytes before the first of them.
 *
 * <pre>
 *   0   4  "ISIG"
 *   4   2  version of this format, 1
 *   6   2  algorithm, 0x0200
 *   8  32  id of the key, see {@link TrustedKey#id}
 *  40  32  SHA-256 of the library
 *  72   2  n, bytes of the bundle's symbolic name
 *  74   2  v, bytes of its version
 *  76   2  p, bytes of its sandbox profile
 *  78   2  0
 *  80  n + v + p  the three texts, UTF-8
 *      64  Ed25519
 *    3309  ML-DSA-65, with an empty context
 * </pre>
 *
 * Immutable. The key's id says which key to try, nothing more.
 */
public final class DriverSignature {
  /** Where a bundle has its signature. */
  public static final String ENTRY = "META-INF/isle/signature";

  static final int MAGIC = 0x47495349;
  static final int FORMAT = 1;
  static final int HEADER_BYTES = 80;
  static final int ED25519_BYTES = Algorithm.ED25519.signatureBytes();
  static final int ML_DSA_65_BYTES = Algorithm.ML_DSA_65.signatureBytes();

  /** Longest file, in bytes. */
  public static final int MAX_BYTES =
      HEADER_BYTES + 3 * DriverStatement.MAX_TEXT + ED25519_BYTES + ML_DSA_65_BYTES;

  private static final int ID_BYTES = 32;
  private static final String NEED = "signatures of drivers need";

  private final DriverStatement statement;
  private final String keyId;
  private final byte[] signed;
  private final byte[] ed25519;
  private final byte[] mlDsa65;

  private DriverSignature(
      DriverStatement statement, String keyId, byte[] signed, byte[] ed25519, byte[] mlDsa65) {
    this.statement = statement;
    this.keyId = keyId;
    this.signed = signed;
    this.ed25519 = ed25519;
    this.mlDsa65 = mlDsa65;
  }

  /**
   * Signs with both keys; the file's contents.
   *
   * @throws SigningException EACCES if the key is not of {@link Algorithm#HYBRID}
   */
  public static byte[] sign(DriverStatement statement, SigningKey key) {
    key.publicKey().require(Algorithm.HYBRID, NEED);
    byte[] signed = header(statement, key.publicKey().id());
    return ByteBuffer.allocate(signed.length + ED25519_BYTES + ML_DSA_65_BYTES)
        .put(signed)
        .put(key.signEd25519(signed))
        .put(key.signMlDsa(signed))
        .array();
  }

  private static byte[] header(DriverStatement statement, String keyId) {
    byte[] name = statement.name().getBytes(StandardCharsets.UTF_8);
    byte[] version = statement.version().getBytes(StandardCharsets.UTF_8);
    byte[] profile = statement.profile().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(HEADER_BYTES + name.length + version.length + profile.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .putShort((short) FORMAT)
        .putShort((short) Algorithm.HYBRID.id())
        .put(HexFormat.of().parseHex(keyId))
        .put(HexFormat.of().parseHex(statement.sha256()))
        .putShort((short) name.length)
        .putShort((short) version.length)
        .putShort((short) profile.length)
        .putShort((short) 0)
        .put(name)
        .put(version)
        .put(profile)
        .array();
  }

  /**
   * Reads a file; that it can be read says nothing about whether it holds.
   *
   * @throws SigningException EINVAL naming what is wrong
   */
  public static DriverSignature parse(byte[] file) {
    if (file.length > MAX_BYTES) {
      throw bad("the file has more than " + MAX_BYTES + " bytes");
    }
    if (file.length < HEADER_BYTES) {
      throw bad(
          "the signature file is cut off: "
              + file.length
              + " bytes, but the header alone has "
              + HEADER_BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    head(in);
    String keyId = hex(in);
    String sha256 = hex(in);
    int[] lengths = {length(in), length(in), length(in)};
    if (in.getShort() != 0) {
      throw bad("reserved: the field is not 0");
    }
    int texts = lengths[0] + lengths[1] + lengths[2];
    int wanted = HEADER_BYTES + texts + ED25519_BYTES + ML_DSA_65_BYTES;
    if (file.length != wanted) {
      String what =
          file.length < wanted ? "the signature file is cut off" : "the signature file is too long";
      throw bad(what + ": " + file.length + " bytes instead of the header's " + wanted);
    }
    DriverStatement statement =
        new DriverStatement(
            text(in, "name", lengths[0]),
            text(in, "version", lengths[1]),
            text(in, "profile", lengths[2]),
            sha256);
    byte[] signed = Arrays.copyOf(file, HEADER_BYTES + texts);
    return new DriverSignature(
        statement, keyId, signed, bytes(in, ED25519_BYTES), bytes(in, ML_DSA_65_BYTES));
  }

  private static void head(ByteBuffer in) {
    if (in.getInt() != MAGIC) {
      throw bad("the signature file does not begin with ISIG");
    }
    int format = Short.toUnsignedInt(in.getShort());
    if (format != FORMAT) {
      throw bad("format version: " + format + " is not " + FORMAT);
    }
    int id = Short.toUnsignedInt(in.getShort());
    Algorithm algorithm =
        Algorithm.of(id)
            .orElseThrow(
                () -> bad(String.format(Locale.ROOT, "algorithm: id 0x%04x is unknown", id)));
    if (algorithm != Algorithm.HYBRID) {
      throw bad(
          "algorithm: "
              + algorithm.text()
              + " alone is not enough; Ed25519 and ML-DSA-65 are needed together");
    }
  }

  private static int length(ByteBuffer in) {
    return Short.toUnsignedInt(in.getShort());
  }

  private static String hex(ByteBuffer in) {
    return HexFormat.of().formatHex(bytes(in, ID_BYTES));
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static String text(ByteBuffer in, String field, int length) {
    try {
      ByteBuffer part = in.slice(in.position(), length);
      in.position(in.position() + length);
      return StandardCharsets.UTF_8.newDecoder().decode(part).toString();
    } catch (CharacterCodingException e) {
      throw new SigningException(Errno.EINVAL, field + ": the text is not valid UTF-8", e);
    }
  }

  private static SigningException bad(String why) {
    return new SigningException(Errno.EINVAL, why);
  }

  /** What it says is signed. */
  public DriverStatement statement() {
    return statement;
  }

  /** Id of the key that it says it is by. */
  public String keyId() {
    return keyId;
  }

  /** The beginning of {@link #keyId}, for messages. */
  public String keyLabel() {
    return TrustedKey.shortened(keyId);
  }

  /**
   * Whether both signatures are by that key and are of what was found.
   *
   * @throws SigningException EACCES naming the key and what does not hold
   */
  public void verify(TrustedKey key, DriverStatement found) {
    key.require(Algorithm.HYBRID, NEED);
    if (!key.id().equals(keyId)) {
      throw denied(key, "did not sign this driver; the signature names key " + keyLabel());
    }
    if (!Crypto.verifies(Algorithm.ED25519, key.ed25519(), signed, ed25519)) {
      throw denied(key, "did not make the Ed25519 signature");
    }
    if (!Crypto.verifies(Algorithm.ML_DSA_65, key.mlDsa(), signed, mlDsa65)) {
      throw denied(key, "did not make the ML-DSA-65 signature");
    }
    // only now it is known that this key signed what the file says
    Optional<String> difference = statement.difference(found);
    if (difference.isPresent()) {
      throw denied(key, "signed a different driver: " + difference.get());
    }
  }

  private static SigningException denied(TrustedKey key, String why) {
    return new SigningException(Errno.EACCES, "key " + key.label() + " " + why);
  }
}
