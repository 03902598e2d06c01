package io.isle.lib.model.verify;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.signing.Algorithm;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes of the right lengths are a signature that holds, or one that does not: no exception.
 */
class SignatureFuzzTest {
  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.ED25519, Algorithm.ML_DSA_44, Algorithm.ML_DSA_65, Algorithm.ML_DSA_87);

  @MethodSource("seeds")
  @FuzzTest
  void anySignatureIsJudged(byte[] input) {
    if (input.length == 0) {
      return;
    }
    Algorithm algorithm = ALGORITHMS.get(input[0] & 3);
    int keyEnd = 1 + algorithm.keyBytes();
    byte[] key = Arrays.copyOfRange(input, 1, keyEnd);
    int end = keyEnd + algorithm.signatureBytes();
    byte[] signature =
        keyEnd < input.length
            ? Arrays.copyOfRange(input, keyEnd, end)
            : new byte[algorithm.signatureBytes()];
    byte[] message =
        end < input.length ? Arrays.copyOfRange(input, end, input.length) : new byte[0];
    Verdict verdict = SignatureCheck.verify(algorithm, key, message, signature);
    assertNotEquals(Verdict.KEY_LENGTH, verdict);
    assertNotEquals(Verdict.SIGNATURE_LENGTH, verdict);
  }

  static Stream<byte[]> seeds() {
    Stream<Vector> vectors =
        Stream.of("rfc8032.txt", "kat-ml-dsa.txt.gz", "nist-ml-dsa-internal.txt.gz")
            .flatMap(file -> Vector.of(file).stream().limit(4));
    return vectors.map(SignatureFuzzTest::seed);
  }

  private static byte[] seed(Vector vector) {
    byte[] seed =
        new byte[1 + vector.key().length + vector.signature().length + vector.message().length];
    seed[0] = (byte) ALGORITHMS.indexOf(vector.algorithm());
    System.arraycopy(vector.key(), 0, seed, 1, vector.key().length);
    int at = 1 + vector.key().length;
    System.arraycopy(vector.signature(), 0, seed, at, vector.signature().length);
    at += vector.signature().length;
    System.arraycopy(vector.message(), 0, seed, at, vector.message().length);
    return seed;
  }
}
