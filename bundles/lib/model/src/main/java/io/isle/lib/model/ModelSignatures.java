package io.isle.lib.model;

import io.isle.lib.model.verify.SignatureCheck;
import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Checks both signatures of a file. The file names no key: each trusted key is tried. The algorithm
 * is that of the key, never that of the file.
 */
final class ModelSignatures {
  private static final String ED25519 = "ed25519_sig";
  private static final String ML_DSA = "mldsa_sig";

  private final ModelFile file;
  private final byte[] signed;
  private final byte[] ed25519;
  private final byte[] mlDsa;

  private ModelSignatures(ModelFile file) {
    this.file = file;
    this.signed = file.signed();
    this.ed25519 = file.ed25519();
    this.mlDsa = file.mlDsa();
  }

  /**
   * The key that made both signatures.
   *
   * @param keys trusted keys
   * @param allowUnsigned whether a file without signatures passes, with an empty answer
   * @throws ModelException the first fault, with its place
   */
  static Optional<TrustedKey> signer(
      ModelFile file, List<TrustedKey> keys, boolean allowUnsigned, Instant now) {
    requireZero(file, "reserved", ModelFile.RESERVED_AT, ModelFile.HEADER_BYTES);
    if (file.zero(ModelFile.ED25519_AT, ModelFile.RESERVED_AT)) {
      if (allowUnsigned) {
        return Optional.empty();
      }
      throw new ModelException(
          ModelFault.UNSIGNED, ED25519, "the file has no signatures, but two are needed");
    }
    int length = file.mlDsaLength();
    if (Algorithm.hybrids().stream().noneMatch(a -> a.second().signatureBytes() == length)) {
      throw new ModelException(
          ModelFault.BAD_SIGNATURE_LENGTH, "mldsa_sig_len", length + " is not 3309 or 4627");
    }
    requireZero(
        file, "the unused part of " + ML_DSA, ModelFile.ML_DSA_AT + length, ModelFile.RESERVED_AT);
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    return Optional.of(new ModelSignatures(file).signer(keys, today));
  }

  private static void requireZero(ModelFile file, String place, int from, int to) {
    if (!file.zero(from, to)) {
      throw new ModelException(
          ModelFault.BAD_RESERVED, place, "the bytes " + from + " to " + (to - 1) + " are not 0");
    }
  }

  private TrustedKey signer(List<TrustedKey> keys, LocalDate today) {
    Optional<TrustedKey> classic = Optional.empty();
    Optional<TrustedKey> quantum = Optional.empty();
    Optional<String> invalid = Optional.empty();
    for (TrustedKey key : keys) {
      boolean first = madeEd25519(key);
      boolean second = madeMlDsa(key);
      if (first && second) {
        try {
          key.requireValid(today);
          return key;
        } catch (SigningException e) {
          invalid = Optional.of(e.getMessage());
        }
      }
      classic = first ? Optional.of(key) : classic;
      quantum = second ? Optional.of(key) : quantum;
    }
    throw invalid
        .map(why -> new ModelException(ModelFault.KEY_NOT_VALID, ED25519, why))
        .orElse(mismatch(classic, quantum, keys.size()));
  }

  private boolean madeEd25519(TrustedKey key) {
    return SignatureCheck.verify(Algorithm.ED25519, key.rawEd25519(), signed, ed25519).valid();
  }

  private boolean madeMlDsa(TrustedKey key) {
    return SignatureCheck.verify(key.algorithm().second(), key.rawMlDsa(), signed, mlDsa).valid();
  }

  private ModelException mismatch(
      Optional<TrustedKey> classic, Optional<TrustedKey> quantum, int keys) {
    if (classic.isPresent() && quantum.isPresent()) {
      return new ModelException(
          ModelFault.SIGNERS_DIFFER,
          ML_DSA,
          "it is by key "
              + quantum.get().label()
              + ", but "
              + ED25519
              + " by key "
              + classic.get().label());
    }
    if (classic.isPresent()) {
      return new ModelException(
          ModelFault.BAD_ML_DSA, ML_DSA, "key " + classic.get().label() + " did not make it");
    }
    if (quantum.isPresent()) {
      return new ModelException(
          ModelFault.BAD_ED25519, ED25519, "key " + quantum.get().label() + " did not make it");
    }
    return new ModelException(
        ModelFault.NO_TRUSTED_KEY,
        ED25519,
        "none of the " + keys + " trusted keys made a signature of model " + file.sha256());
  }
}
