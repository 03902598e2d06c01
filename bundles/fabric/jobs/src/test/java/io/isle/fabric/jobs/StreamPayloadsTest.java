package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamPayloadsTest {
  private static final int PAYLOAD = 64;

  private int further;

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static byte[] padded(byte[] bytes) {
    return Arrays.copyOf(bytes, Math.ceilDiv(bytes.length, PAYLOAD) * PAYLOAD);
  }

  private byte[] read(byte[] given, int more) throws IOException {
    further = more;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (StreamPayloads payloads =
        new StreamPayloads(new ByteArrayInputStream(given), PAYLOAD, () -> further-- > 0)) {
      while (payloads.next()) {
        all.writeBytes(
            payloads.memory().asSlice(payloads.offset(), PAYLOAD).toArray(ValueLayout.JAVA_BYTE));
      }
      assertEquals(given.length, payloads.bytes());
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PAYLOAD - 1, PAYLOAD, PAYLOAD + 1, 10 * PAYLOAD, (1 << 20) + 5})
  void aStreamIsReadOnceAndPadded(int size) throws IOException {
    byte[] given = bytes(size);
    assertArrayEquals(padded(given), read(given, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PAYLOAD, 3 * PAYLOAD + 7})
  void theFirstPayloadsGoRoundAgain(int size) throws IOException {
    byte[] given = padded(bytes(size));
    int payloads = given.length / PAYLOAD;
    byte[] all = read(bytes(size), 2 * payloads);
    assertEquals(3 * given.length, all.length);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(given, Arrays.copyOfRange(all, i * given.length, (i + 1) * given.length));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0})
  void ofAnEmptyStreamZerosGoRound(int size) throws IOException {
    assertArrayEquals(new byte[3 * PAYLOAD], read(bytes(size), 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {(1 << 20) + 3 * PAYLOAD})
  void ofALongStreamOnlyTheFirstPayloadsAreKept(int size) throws IOException {
    byte[] given = bytes(size);
    byte[] all = read(given, 1 << 20);
    byte[] again = Arrays.copyOfRange(all, size, size + PAYLOAD);
    long index = size / PAYLOAD;
    int offset = (int) (index % ((1 << 20) / PAYLOAD)) * PAYLOAD;
    assertArrayEquals(Arrays.copyOfRange(given, offset, offset + PAYLOAD), again);
  }
}
