package io.isle.lib.signing;

import io.isle.api.base.Errno;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;

/** What is used of {@code java.security}: the JDK's own providers have all of it. */
final class Crypto {
  private Crypto() {}

  static KeyPair generate(Algorithm algorithm) {
    try {
      return KeyPairGenerator.getInstance(algorithm.text()).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw missing(algorithm, e);
    }
  }

  /**
   * A key of X.509's form.
   *
   * @throws SigningException EINVAL if these bytes are no such key, or more than one
   */
  static PublicKey publicKey(Algorithm algorithm, byte[] encoded) {
    try {
      KeyFactory factory = KeyFactory.getInstance(algorithm.text());
      return factory.generatePublic(new X509EncodedKeySpec(encoded));
    } catch (InvalidKeySpecException e) {
      throw no(algorithm, "public", e);
    } catch (GeneralSecurityException e) {
      throw missing(algorithm, e);
    }
  }

  /**
   * A key of PKCS #8's form.
   *
   * @throws SigningException EINVAL if these bytes are no such key
   */
  static PrivateKey privateKey(Algorithm algorithm, byte[] encoded) {
    try {
      KeyFactory factory = KeyFactory.getInstance(algorithm.text());
      return factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (InvalidKeySpecException e) {
      throw no(algorithm, "private", e);
    } catch (GeneralSecurityException e) {
      throw missing(algorithm, e);
    }
  }

  /** The bytes of a public key without X.509's frame, which all stand in front of them. */
  static byte[] raw(Algorithm algorithm, PublicKey key) {
    byte[] encoded = key.getEncoded();
    return Arrays.copyOfRange(encoded, encoded.length - algorithm.keyBytes(), encoded.length);
  }

  static byte[] sign(Algorithm algorithm, PrivateKey key, byte[] bytes) {
    try {
      Signature signature = Signature.getInstance(algorithm.text());
      signature.initSign(key);
      signature.update(bytes);
      return signature.sign();
    } catch (InvalidKeyException e) {
      throw no(algorithm, "private", e);
    } catch (GeneralSecurityException e) {
      throw missing(algorithm, e);
    }
  }

  /** Whether {@code signature} is one of {@code bytes} by that key. */
  static boolean verifies(Algorithm algorithm, PublicKey key, byte[] bytes, byte[] signature) {
    try {
      Signature check = Signature.getInstance(algorithm.text());
      check.initVerify(key);
      check.update(bytes);
      return check.verify(signature);
    } catch (SignatureException malformed) {
      return false;
    } catch (InvalidKeyException e) {
      throw no(algorithm, "public", e);
    } catch (GeneralSecurityException e) {
      throw missing(algorithm, e);
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static SigningException no(Algorithm algorithm, String kind, Exception why) {
    String text = "the value is not a " + kind + " key of " + algorithm.text();
    return new SigningException(Errno.EINVAL, text, why);
  }

  private static IllegalStateException missing(Algorithm algorithm, Exception why) {
    return new IllegalStateException("this JDK lacks " + algorithm.text(), why);
  }
}
