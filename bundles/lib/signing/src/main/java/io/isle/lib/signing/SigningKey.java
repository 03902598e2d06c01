package io.isle.lib.signing;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Base64;
import java.util.List;

/**
 * A hybrid key with its private half, as it stands in a {@code .key} file, which is as secret as
 * the key: it is not encrypted. Immutable.
 */
public final class SigningKey {
  static final String ALGORITHM = "0x%04x".formatted(Algorithm.HYBRID.id());

  private static final String KIND = "isle-private-key";
  private static final String ED25519 = "ed25519-private";
  private static final String ML_DSA_65 = "ml-dsa-65-private";
  private static final String PUBLIC = "public-key";
  private static final List<String> FIELDS = List.of(KIND, PUBLIC, ED25519, ML_DSA_65);

  private final TrustedKey publicKey;
  private final PrivateKey ed25519;
  private final PrivateKey mlDsa65;

  private SigningKey(TrustedKey publicKey, PrivateKey ed25519, PrivateKey mlDsa65) {
    this.publicKey = publicKey;
    this.ed25519 = ed25519;
    this.mlDsa65 = mlDsa65;
  }

  /** Makes a new key. */
  public static SigningKey generate(KeyInfo info) {
    KeyPair ed25519 = Crypto.generate(Algorithm.ED25519);
    KeyPair mlDsa65 = Crypto.generate(Algorithm.ML_DSA_65);
    return new SigningKey(
        new TrustedKey(info, ed25519.getPublic(), mlDsa65.getPublic()),
        ed25519.getPrivate(),
        mlDsa65.getPrivate());
  }

  /**
   * Reads a file.
   *
   * @throws SigningException EINVAL naming the line or field that is wrong
   */
  public static SigningKey parse(byte[] file) {
    KeyFields fields = KeyFields.of(file, FIELDS);
    fields.expect(KIND, "1");
    SigningKey key =
        new SigningKey(
            TrustedKey.parse(fields.base64(PUBLIC)),
            privateKey(fields, ED25519, Algorithm.ED25519),
            privateKey(fields, ML_DSA_65, Algorithm.ML_DSA_65));
    requirePair(ED25519, Algorithm.ED25519, key.ed25519, key.publicKey.ed25519());
    requirePair(ML_DSA_65, Algorithm.ML_DSA_65, key.mlDsa65, key.publicKey.mlDsa65());
    return key;
  }

  private static PrivateKey privateKey(KeyFields fields, String field, Algorithm algorithm) {
    byte[] encoded = fields.base64(field);
    try {
      return Crypto.privateKey(algorithm, encoded);
    } catch (SigningException e) {
      throw new SigningException(e.code(), field + ": " + e.getMessage(), e);
    }
  }

  /** Else it would make signatures that nobody can verify. */
  private static void requirePair(
      String field, Algorithm algorithm, PrivateKey secret, PublicKey open) {
    byte[] probe = KIND.getBytes(StandardCharsets.UTF_8);
    if (!Crypto.verifies(algorithm, open, probe, Crypto.sign(algorithm, secret, probe))) {
      throw KeyFields.bad(field + ": the private key does not belong to the public key");
    }
  }

  /** The file's contents. */
  public String text() {
    Base64.Encoder base64 = Base64.getEncoder();
    byte[] trusted = publicKey.text().getBytes(StandardCharsets.UTF_8);
    return "# Secret: every holder of this file can sign drivers.%n".formatted()
        + KIND
        + ": 1%n".formatted()
        + PUBLIC
        + ": %s%n".formatted(base64.encodeToString(trusted))
        + ED25519
        + ": %s%n".formatted(base64.encodeToString(ed25519.getEncoded()))
        + ML_DSA_65
        + ": %s%n".formatted(base64.encodeToString(mlDsa65.getEncoded()));
  }

  /** What others verify with. */
  public TrustedKey publicKey() {
    return publicKey;
  }

  byte[] signEd25519(byte[] bytes) {
    return Crypto.sign(Algorithm.ED25519, ed25519, bytes);
  }

  byte[] signMlDsa65(byte[] bytes) {
    return Crypto.sign(Algorithm.ML_DSA_65, mlDsa65, bytes);
  }
}
