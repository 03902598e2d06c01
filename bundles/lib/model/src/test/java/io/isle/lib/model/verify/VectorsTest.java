package io.isle.lib.model.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.pqc.crypto.mldsa.MLDSAParameters;
import org.bouncycastle.pqc.crypto.mldsa.MLDSAPublicKeyParameters;
import org.bouncycastle.pqc.crypto.mldsa.MLDSASigner;
import org.junit.jupiter.api.Test;

/** Published vectors, see {@code vectors/README.md}. */
class VectorsTest {
  private static final int HASH_BYTES = 64;

  private static Set<Verdict> hold(String file, int count) {
    List<Vector> vectors = Vector.of(file);
    assertEquals(count, vectors.size());
    Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
    for (Vector vector : vectors) {
      Verdict verdict = vector.verdict();
      seen.add(verdict);
      assertEquals(vector.valid(), verdict.valid(), () -> file + " " + vector.id());
    }
    return seen;
  }

  @Test
  void rfc8032() {
    assertEquals(Set.of(Verdict.VALID), hold("rfc8032.txt", 5));
  }

  @Test
  void wycheproofEd25519() {
    Set<Verdict> seen = hold("wycheproof-ed25519.txt.gz", 151);
    assertTrue(
        seen.containsAll(Set.of(Verdict.VALID, Verdict.BAD_SIGNATURE, Verdict.SIGNATURE_LENGTH)));
  }

  @Test
  void wycheproofMlDsa() {
    assertEquals(
        Set.of(
            Verdict.VALID,
            Verdict.BAD_SIGNATURE,
            Verdict.KEY_LENGTH,
            Verdict.SIGNATURE_LENGTH,
            Verdict.CONTEXT_LENGTH),
        hold("wycheproof-ml-dsa.txt.gz", 133));
  }

  @Test
  void pureMlDsaWithContexts() {
    assertEquals(Set.of(Verdict.VALID), hold("kat-ml-dsa.txt.gz", 15));
  }

  /** The internal interface lies below the context: the message goes into the hash as it is. */
  @Test
  void nistMlDsa() {
    List<Vector> vectors = Vector.of("nist-ml-dsa-internal.txt.gz");
    assertEquals(45, vectors.size());
    for (Vector vector : vectors) {
      MLDSASigner check = new MLDSASigner();
      check.init(false, new MLDSAPublicKeyParameters(parameters(vector), vector.key()));
      byte[] mu = shake(shake(vector.key()), vector.message());
      assertEquals(
          vector.valid(), check.verifyMuSignature(mu, vector.signature()), () -> vector.id());
    }
  }

  private static MLDSAParameters parameters(Vector vector) {
    return switch (vector.algorithm()) {
      case ML_DSA_44 -> MLDSAParameters.ml_dsa_44;
      case ML_DSA_65 -> MLDSAParameters.ml_dsa_65;
      default -> MLDSAParameters.ml_dsa_87;
    };
  }

  private static byte[] shake(byte[]... parts) {
    SHAKEDigest digest = new SHAKEDigest(256);
    for (byte[] part : parts) {
      digest.update(part, 0, part.length);
    }
    byte[] hash = new byte[HASH_BYTES];
    digest.doFinal(hash, 0, HASH_BYTES);
    return hash;
  }
}
