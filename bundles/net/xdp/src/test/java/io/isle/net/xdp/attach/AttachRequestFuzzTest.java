package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any message names an app, or has a reason. */
class AttachRequestFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] good = AttachClients.request("counter");
    byte[] longest = AttachClients.request("a".repeat(31));
    byte[] unended = AttachClients.request("a".repeat(32));
    return Stream.of(good, longest, unended, Arrays.copyOf(good, 40), new byte[64], new byte[1]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void aMessageNamesAnAppOrHasAReason(byte[] bytes) {
    byte[] message = Arrays.copyOf(bytes, Math.min(bytes.length, AttachLayout.Request.SIZE));
    try {
      String app = AttachMessages.app(MemorySegment.ofArray(message), bytes.length);
      assertTrue(app.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,30}"), app);
      byte[] same = AttachClients.request(app);
      assertTrue(Arrays.equals(same, bytes));
    } catch (NetException e) {
      assertTrue(Set.of(Errno.EINVAL, Errno.EPROTO).contains(e.code()), e.getMessage());
      assertTrue(e.getMessage().matches("[\\x20-\\x7E]+"), e.getMessage());
    }
  }
}
