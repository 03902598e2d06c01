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
  private static final String KIND = "isle-private-key";
  private static final String SUFFIX = "-private";
  private static final String ED25519 = Algorithm.ED25519.field() + SUFFIX;
  private static final String PUBLIC = "public-key";
  private static final List<String> FIELDS = List.of(KIND, PUBLIC, ED25519);

  private final TrustedKey publicKey;
  private final PrivateKey ed25519;
  private final PrivateKey mlDsa;

  private SigningKey(TrustedKey publicKey, PrivateKey ed25519, PrivateKey mlDsa) {
    this.publicKey = publicKey;
    this.ed25519 = ed25519;
    this.mlDsa = mlDsa;
  }

  /** Makes a new key of {@link Algorithm#HYBRID}. */
  public static SigningKey generate(KeyInfo info) {
    return generate(info, Algorithm.HYBRID);
  }

  /**
   * Makes a new key.
   *
   * @param algorithm one of {@link Algorithm#hybrids}
   */
  public static SigningKey generate(KeyInfo info, Algorithm algorithm) {
    KeyPair ed25519 = Crypto.generate(Algorithm.ED25519);
    KeyPair mlDsa = Crypto.generate(algorithm.second());
    return new SigningKey(
        new TrustedKey(info, algorithm, ed25519.getPublic(), mlDsa.getPublic()),
        ed25519.getPrivate(),
        mlDsa.getPrivate());
  }

  /**
   * Reads a file.
   *
   * @throws SigningException EINVAL naming the line or field that is wrong
   */
  public static SigningKey parse(byte[] file) {
    List<String> seconds =
        Algorithm.hybrids().stream().map(hybrid -> hybrid.second().field() + SUFFIX).toList();
    KeyFields fields = KeyFields.of(file, FIELDS, seconds);
    fields.expect(KIND, "1");
    TrustedKey trusted = TrustedKey.parse(fields.base64(PUBLIC));
    Algorithm second = trusted.algorithm().second();
    fields.requireOnly(trusted.algorithm(), SUFFIX);
    SigningKey key =
        new SigningKey(trusted, privateKey(fields, Algorithm.ED25519), privateKey(fields, second));
    requirePair(Algorithm.ED25519, key.ed25519, trusted.ed25519());
    requirePair(second, key.mlDsa, trusted.mlDsa());
    return key;
  }

  private static PrivateKey privateKey(KeyFields fields, Algorithm algorithm) {
    String field = algorithm.field() + SUFFIX;
    byte[] encoded = fields.base64(field);
    try {
      return Crypto.privateKey(algorithm, encoded);
    } catch (SigningException e) {
      throw new SigningException(e.code(), field + ": " + e.getMessage(), e);
    }
  }

  /** Else it would make signatures that nobody can verify. */
  private static void requirePair(Algorithm algorithm, PrivateKey secret, PublicKey open) {
    byte[] probe = KIND.getBytes(StandardCharsets.UTF_8);
    if (!Crypto.verifies(algorithm, open, probe, Crypto.sign(algorithm, secret, probe))) {
      throw KeyFields.bad(
          algorithm.field() + SUFFIX + ": the private key does not belong to the public key");
    }
  }

  /** The file's contents. */
  public String text() {
    Base64.Encoder base64 = Base64.getEncoder();
    byte[] trusted = publicKey.text().getBytes(StandardCharsets.UTF_8);
    return "# Secret: every holder of this file can sign with the key.%n".formatted()
        + KIND
        + ": 1%n".formatted()
        + PUBLIC
        + ": %s%n".formatted(base64.encodeToString(trusted))
        + ED25519
        + ": %s%n".formatted(base64.encodeToString(ed25519.getEncoded()))
        + publicKey.algorithm().second().field()
        + SUFFIX
        + ": %s%n".formatted(base64.encodeToString(mlDsa.getEncoded()));
  }

  /** What others verify with. */
  public TrustedKey publicKey() {
    return publicKey;
  }

  /** An Ed25519 signature. */
  public byte[] signEd25519(byte[] bytes) {
    return Crypto.sign(Algorithm.ED25519, ed25519, bytes);
  }

  /** A signature by the algorithm beside Ed25519, with an empty context. */
  public byte[] signMlDsa(byte[] bytes) {
    return Crypto.sign(publicKey.algorithm().second(), mlDsa, bytes);
  }
}
