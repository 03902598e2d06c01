package io.isle.api.net.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortOptionsTest {
  @ParameterizedTest
  @CsvSource({"64, 1", "1514, 256", "65535, 65536"})
  void limitsAreIncluded(int mtu, int frames) {
    PortOptions options = new PortOptions(mtu, frames);
    assertEquals(mtu, options.mtu());
    assertEquals(frames, options.frames());
  }

  @ParameterizedTest
  @CsvSource({
    "63, 1, 'mtu: 63 is not within 64 to 65535'",
    "65536, 1, 'mtu: 65536 is not within 64 to 65535'",
    "64, 0, 'frames: 0 is not within 1 to 65536'",
    "64, 65537, 'frames: 65537 is not within 1 to 65536'"
  })
  void aValueOutsideIsNamed(int mtu, int frames, String message) {
    NetException e = assertThrows(NetException.class, () -> new PortOptions(mtu, frames));
    assertEquals(Errno.EINVAL, e.code());
    assertEquals(message, e.getMessage());
  }
}
