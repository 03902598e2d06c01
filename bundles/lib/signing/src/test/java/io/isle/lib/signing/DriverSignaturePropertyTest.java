package io.isle.lib.signing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Any bytes are either read, or refused with a reason; and no change of a good file holds. */
class DriverSignaturePropertyTest {
  private static final byte[] GOOD = DriverSignature.sign(Keys.STATEMENT, Keys.KEY);

  @Property(tries = 2000)
  void anyBytesAreReadOrRefused(@ForAll @Size(max = 6000) byte[] bytes) {
    refusedOrRead(bytes);
  }

  /** Bytes that get past the first looks. */
  @Property(tries = 2000)
  void anyHeaderIsReadOrRefused(
      @ForAll @Size(80) byte[] header, @ForAll @IntRange(max = 6000) int length) {
    byte[] bytes = Arrays.copyOf(header, length);
    System.arraycopy(GOOD, 0, bytes, 0, Math.min(8, length));
    refusedOrRead(bytes);
  }

  private static void refusedOrRead(byte[] bytes) {
    try {
      DriverSignature read = DriverSignature.parse(bytes);
      assertEquals(64, read.keyId().length());
    } catch (SigningException refused) {
      assertEquals(Errno.EINVAL, refused.code());
      assertTrue(!refused.getMessage().isBlank());
    }
  }

  @Property(tries = 300)
  void noChangedBitHolds(
      @ForAll @IntRange(max = 100_000) int position, @ForAll @IntRange(max = 7) int bit) {
    byte[] changed = GOOD.clone();
    changed[position % GOOD.length] ^= (byte) (1 << bit);
    assertThrows(
        SigningException.class,
        () -> {
          DriverSignature read = DriverSignature.parse(changed);
          read.verify(Keys.KEY.publicKey(), read.statement());
        });
  }

  @Property(tries = 50)
  void anyStatementIsReadAsItWasSigned(
      @ForAll("texts") String name, @ForAll("texts") String version) {
    DriverStatement statement = new DriverStatement(name, version, "gpu", "0f".repeat(32));
    byte[] file = DriverSignature.sign(statement, Keys.KEY);
    DriverSignature read = DriverSignature.parse(file);
    assertEquals(statement, read.statement());
    read.verify(Keys.KEY.publicKey(), statement);
    assertArrayEquals(
        Arrays.copyOf(file, 80), Arrays.copyOf(DriverSignature.sign(statement, Keys.KEY), 80));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withCharRange('!', '~')
        .withChars('ä', '水', ' ')
        .ofMinLength(1)
        .ofMaxLength(128);
  }
}
