package io.isle.net.xdp.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.NetException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes in place of a driver's answers: they are read within their bounds, or refused. */
class EthtoolFuzzTest {
  private static final int NAME_BYTES = 32;
  private static final List<Integer> CODES =
      List.of(0, -Errno.ENOTSUP, 0, -Errno.ENODEV, 0, -Errno.EPERM, 0, 0);

  /** Answers with a code, then with bytes; without any bytes left, with what was asked. */
  private record Answers(ByteBuffer bytes) implements EthtoolPort {
    @Override
    public int call(String interfaceName, MemorySegment command) {
      assertEquals("eth0", interfaceName);
      int code = bytes.hasRemaining() ? CODES.get(bytes.get() & 7) : 0;
      for (long at = 4; at < command.byteSize() && bytes.hasRemaining(); at++) {
        command.set(ValueLayout.JAVA_BYTE, at, bytes.get());
      }
      return code;
    }

    @Override
    public void close() {}
  }

  static Stream<byte[]> seeds() {
    return Stream.of(
        answers(2, "a-feature", "another"),
        answers(Integer.MAX_VALUE, "a-feature"),
        answers(-1),
        new byte[] {1, 3, 5},
        new byte[0]);
  }

  /** A number of features, and names. */
  private static byte[] answers(int count, String... names) {
    ByteBuffer bytes = ByteBuffer.allocate(400).order(ByteOrder.nativeOrder());
    bytes.put((byte) 0).position(1 + 4).putLong(1L << 4).putInt(count).position(1 + 20);
    bytes.put((byte) 0).position(bytes.position() + 8);
    for (String name : names) {
      bytes.put(Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), NAME_BYTES));
    }
    return bytes.array();
  }

  private static Ethtool ethtool(byte[] answers) {
    return new Ethtool(new Answers(ByteBuffer.wrap(answers)));
  }

  @Test
  void featuresAreReadUpToTheirLimit() {
    try (Ethtool two = ethtool(answers(2, "a-feature", "another"));
        Ethtool many = ethtool(answers(1025))) {
      assertEquals(List.of("a-feature", "another"), two.features("eth0"));
      NetException wrong = assertThrows(NetException.class, () -> many.features("eth0"));
      assertEquals(Errno.EPROTO, wrong.code());
      assertTrue(wrong.getMessage().contains("1025") && wrong.getMessage().contains("1024"));
    }
  }

  @MethodSource("seeds")
  @FuzzTest
  void answersAreReadWithinTheirBoundsOrRefused(byte[] bytes) {
    try (Ethtool ethtool = ethtool(bytes)) {
      List<String> names = ethtool.features("eth0");
      assertTrue(names.size() <= 1024);
      assertTrue(names.stream().allMatch(one -> one.length() <= NAME_BYTES && !one.contains("\0")));
      String name = names.isEmpty() ? "none" : names.getLast();
      for (Knob knob :
          List.of(
              new FeatureKnob(ethtool, ConfigureStage.OFFLOADS, "eth0", name),
              new ChannelsKnob(ethtool, "eth0", 2))) {
        Knob.Reading now = knob.read();
        assertTrue(now.is().matches("|on|off|combined [0-9]+|rx [0-9]+ tx [0-9]+"), now.is());
        assertTrue(now.unsupported().orElse("").matches("[^\\p{Cntrl}]*"));
        if (now.unsupported().isEmpty()) {
          knob.write(knob.wanted());
        }
      }
    } catch (NetException e) {
      assertTrue(
          Set.of(Errno.EPROTO, Errno.ENODEV, Errno.EPERM, Errno.ENOTSUP).contains(e.code()),
          e.getMessage());
      assertTrue(e.getMessage().startsWith("eth0: "), e.getMessage());
    }
  }
}
