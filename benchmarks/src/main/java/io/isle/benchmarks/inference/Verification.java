package io.isle.benchmarks.inference;

import io.isle.lib.model.verify.SignatureCheck;
import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.SigningKey;
import io.isle.lib.signing.TrustedKey;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.LocalDate;
import java.util.SplittableRandom;

/** Both signatures of a small model file, verified as the proof does, or by the JDK alone. */
final class Verification implements Loop {
  private static final int BYTES = 1024;

  private final boolean jdk;
  private final byte[] message = new byte[BYTES];
  private final byte[] ed25519;
  private final byte[] mlDsa;
  private final byte[] rawEd25519;
  private final byte[] rawMlDsa;
  private final Signature checkEd25519 = Signature.getInstance(Algorithm.ED25519.text());
  private final Signature checkMlDsa = Signature.getInstance(Algorithm.ML_DSA_65.text());

  /**
   * @param jdk whether the JDK verifies
   */
  Verification(boolean jdk) throws GeneralSecurityException {
    this.jdk = jdk;
    new SplittableRandom(4).nextBytes(message);
    SigningKey key =
        SigningKey.generate(
            new KeyInfo("bench", LocalDate.EPOCH, LocalDate.EPOCH.plusDays(1)), Algorithm.HYBRID);
    TrustedKey trusted = key.publicKey();
    ed25519 = key.signEd25519(message);
    mlDsa = key.signMlDsa(message);
    rawEd25519 = trusted.rawEd25519();
    rawMlDsa = trusted.rawMlDsa();
    checkEd25519.initVerify(trusted.ed25519());
    checkMlDsa.initVerify(trusted.mlDsa());
  }

  @Override
  public double measure(int rounds) {
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      if (!valid()) {
        throw new IllegalStateException("a good signature is refused");
      }
    }
    return (System.nanoTime() - start) / (double) rounds;
  }

  private boolean valid() {
    if (!jdk) {
      return SignatureCheck.verify(Algorithm.ED25519, rawEd25519, message, ed25519).valid()
          && SignatureCheck.verify(Algorithm.ML_DSA_65, rawMlDsa, message, mlDsa).valid();
    }
    try {
      checkEd25519.update(message);
      checkMlDsa.update(message);
      return checkEd25519.verify(ed25519) && checkMlDsa.verify(mlDsa);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK verifies nothing", e);
    }
  }
}
