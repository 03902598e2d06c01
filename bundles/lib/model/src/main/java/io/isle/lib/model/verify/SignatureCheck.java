package io.isle.lib.model.verify;

import io.isle.lib.signing.Algorithm;
import org.bouncycastle.crypto.params.ParametersWithContext;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.bouncycastle.pqc.crypto.mldsa.MLDSAParameters;
import org.bouncycastle.pqc.crypto.mldsa.MLDSAPublicKeyParameters;
import org.bouncycastle.pqc.crypto.mldsa.MLDSASigner;

/**
 * Verifies signatures by raw public keys: Ed25519 of RFC 8032 and pure ML-DSA of FIPS 204. All
 * lengths are checked here: the library accepts some keys of a wrong length. For any thread.
 */
public final class SignatureCheck {
  /** Longest context of ML-DSA, in bytes. */
  public static final int MAX_CONTEXT = 255;

  private static final byte[] NO_CONTEXT = {};

  private SignatureCheck() {}

  /** Verifies a signature without a context. */
  public static Verdict verify(Algorithm algorithm, byte[] key, byte[] message, byte[] signature) {
    return verify(algorithm, key, message, signature, NO_CONTEXT);
  }

  /**
   * Verifies a signature.
   *
   * @param algorithm no hybrid one
   * @param key raw public key
   * @param context empty for Ed25519, which has none
   */
  public static Verdict verify(
      Algorithm algorithm, byte[] key, byte[] message, byte[] signature, byte[] context) {
    if (Algorithm.hybrids().contains(algorithm)) {
      throw new IllegalArgumentException(algorithm.text() + " is not a single algorithm");
    }
    if (algorithm == Algorithm.ED25519 && context.length > 0) {
      throw new IllegalArgumentException("Ed25519 has no context");
    }
    if (context.length > MAX_CONTEXT) {
      return Verdict.CONTEXT_LENGTH;
    }
    if (key.length != algorithm.keyBytes()) {
      return Verdict.KEY_LENGTH;
    }
    if (signature.length != algorithm.signatureBytes()) {
      return Verdict.SIGNATURE_LENGTH;
    }
    return algorithm == Algorithm.ED25519
        ? ed25519(key, message, signature)
        : mlDsa(parameters(algorithm), key, message, signature, context);
  }

  /**
   * Whether a raw Ed25519 key can be trusted: it is canonical and in the group of the base point. A
   * signature by a point of small order proves nothing.
   */
  public static boolean strong(byte[] key) {
    return Ed25519.validatePublicKeyFull(key, 0);
  }

  /** Points must be canonical and S below the order of the group. */
  private static Verdict ed25519(byte[] key, byte[] message, byte[] signature) {
    if (SmallOrder.contains(key)) {
      return SmallOrder.verifies(signature) ? Verdict.VALID : Verdict.BAD_SIGNATURE;
    }
    Ed25519.PublicPoint point = Ed25519.validatePublicKeyPartialExport(key, 0);
    if (point == null) {
      return Verdict.BAD_KEY;
    }
    boolean valid = Ed25519.verify(signature, 0, point, message, 0, message.length);
    return valid ? Verdict.VALID : Verdict.BAD_SIGNATURE;
  }

  private static Verdict mlDsa(
      MLDSAParameters parameters, byte[] key, byte[] message, byte[] signature, byte[] context) {
    MLDSASigner check = new MLDSASigner();
    check.init(
        false, new ParametersWithContext(new MLDSAPublicKeyParameters(parameters, key), context));
    check.update(message, 0, message.length);
    return check.verifySignature(signature) ? Verdict.VALID : Verdict.BAD_SIGNATURE;
  }

  private static MLDSAParameters parameters(Algorithm algorithm) {
    return switch (algorithm) {
      case ML_DSA_44 -> MLDSAParameters.ml_dsa_44;
      case ML_DSA_65 -> MLDSAParameters.ml_dsa_65;
      case ML_DSA_87 -> MLDSAParameters.ml_dsa_87;
      case ED25519, HYBRID, HYBRID_87 ->
          throw new IllegalArgumentException(algorithm.text() + " is not ML-DSA");
    };
  }
}
