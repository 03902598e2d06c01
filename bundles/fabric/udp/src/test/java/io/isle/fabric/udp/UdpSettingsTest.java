package io.isle.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UdpSettingsTest {
  private static PortSpec spec(RingSide side, String address, List<String> allow, int buffer) {
    return new PortSpec(
        "a", side, address, "", Dialect.LEAP, 264, "", allow, false, buffer, Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    "PREV,localhost,listen: ,HOST:PORT",
    "PREV,localhost:65536,listen: ,65535",
    "PREV,'a b:99',listen: ,name",
    "NEXT,127.0.0.1:0,next: ,1 to 65535",
    "NEXT,'',next: ,HOST:PORT",
    "NEXT,0.0.0.0:9999,next: ,all interfaces",
    "NEXT,[::]:9999,next: ,all interfaces"
  })
  void anAddressIsRefusedWithItsSetting(
      RingSide side, String address, String setting, String limit) {
    RingException refused =
        assertThrows(RingException.class, () -> UdpSettings.of(spec(side, address, List.of(), 0)));
    assertEquals(Errno.EINVAL, refused.code());
    assertTrue(refused.getMessage().startsWith(setting), refused.getMessage());
    assertTrue(refused.getMessage().contains(limit), refused.getMessage());
  }

  @Test
  void networksAndBuffersAreRefusedWithTheirSetting() {
    for (PortSpec spec :
        List.of(
            spec(RingSide.PREV, "127.0.0.1:9", List.of("10.0.0.0/33"), 0),
            spec(RingSide.PREV, "127.0.0.1:9", List.of("nodes"), 0))) {
      String text = assertThrows(RingException.class, () -> UdpSettings.of(spec)).getMessage();
      assertTrue(text.startsWith("allow: "), text);
    }
    PortSpec negative = spec(RingSide.PREV, "127.0.0.1:9", List.of(), -1);
    String text = assertThrows(RingException.class, () -> UdpSettings.of(negative)).getMessage();
    assertTrue(text.startsWith("buffer: -1 B is not in 0.."), text);
  }

  @ParameterizedTest
  @CsvSource({"localhost,HOST:PORT", "127.0.0.1:0,1 to 65535", "0.0.0.0:9,all interfaces"})
  void aSourceIsRefusedWithItsSetting(String source, String limit) {
    PortSpec spec =
        new PortSpec(
            "a",
            RingSide.PREV,
            "127.0.0.1:9",
            "",
            Dialect.LEAP,
            264,
            source,
            List.of(),
            false,
            0,
            Map.of());
    String text = assertThrows(RingException.class, () -> UdpSettings.of(spec)).getMessage();
    assertTrue(text.startsWith("prev.address: ") && text.contains(limit), text);
  }

  @Test
  void aPacketFitsIntoChunksWithNumbersOf16Bits() {
    for (int over : new int[] {0, 1}) {
      PortSpec spec =
          new PortSpec(
              "a",
              RingSide.NEXT,
              "127.0.0.1:9",
              "",
              Dialect.LEAP,
              65_535 * 1400 + over,
              "",
              List.of(),
              false,
              0,
              Map.of());
      if (over == 0) {
        assertEquals(9, UdpSettings.of(spec).address().port());
      } else {
        RingException refused = assertThrows(RingException.class, () -> UdpSettings.of(spec));
        assertEquals(Errno.EMSGSIZE, refused.code());
      }
    }
  }
}
