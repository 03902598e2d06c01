package io.isle.net.xdp.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.net.xdp.settings.NetSettings.Configure;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetSettingsTest {
  private static NetSettings of(String... pairs) {
    Map<String, String> given = new HashMap<>(Map.of("interface", "eth0"));
    for (int i = 0; i < pairs.length; i += 2) {
      given.put(pairs[i], pairs[i + 1]);
    }
    return NetSettings.of(given);
  }

  private static String refused(String... pairs) {
    NetException e = assertThrows(NetException.class, () -> of(pairs));
    assertEquals(Errno.EINVAL, e.code());
    return e.getMessage();
  }

  @Test
  void defaultsSuitAnInterface() {
    NetSettings settings = of();
    assertEquals(Optional.empty(), settings.file());
    assertEquals(Configure.CHECK, settings.configure());
    assertFalse(settings.loopback());
    assertEquals(new CpuWish(false, List.of()), settings.cpu());
  }

  @ParameterizedTest
  @CsvSource({
    "flush_us, 1000001, 1000000",
    "flush_us, -1, 0",
    "rx_queue, 63, 64",
    "tx_queue, 262145, 262144",
    "app_frames, 1048577, 1048576",
    "tiles, 17, 16",
    "queue, 1024, 1023",
    "poll, fast, prefbusy",
    "mode, xdp, skb",
    "udp_checksum, on, drop",
    "configure, yes, auto",
    "zero_copy, maybe, false",
    "loopback, maybe, false",
    "address, 1.2.3, 1.2.3",
    "socket, here, 107",
    "netns, lab:, lab:NAME",
    "cpu, two, auto",
    "rx_queue, 100, power of two"
  })
  void aWrongValueNamesItsKeyAndLimit(String key, String value, String limit) {
    String why = refused(key, value);
    assertTrue(why.startsWith(key + ": "), why);
    assertTrue(why.contains(limit), why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"flush_us", "udp_checksum", "address", "cpu"})
  void someKeysKeepTheSockets(String key) {
    Map<String, String> values =
        Map.of("flush_us", "5", "udp_checksum", "drop", "address", "10.0.0.1", "cpu", "auto");
    assertTrue(of().keepsSockets(of(key, values.get(key))));
  }

  @ParameterizedTest
  @CsvSource({"loopback, true", "configure, auto", "socket, /tmp/s", "poll, softirq", "tiles, 2"})
  void othersDoNot(String key, String value) {
    assertFalse(of().keepsSockets(of(key, value)));
  }

  @Test
  void aFileIsAnInterface() {
    NetSettings settings = of("interface", "pcap:/tmp/a b.pcap", "pcap_sent", "/tmp/out.pcapng");
    assertEquals(Optional.of(Path.of("/tmp/a b.pcap")), settings.file());
    assertEquals(Optional.of(Path.of("/tmp/out.pcapng")), settings.pcapSent());
    assertTrue(refused("interface", "pcap:here.pcap").contains("no absolute path"));
    assertTrue(refused("interface", "pcap:/tmp/\0").startsWith("interface: "));
    assertTrue(refused("pcap_sent", "/tmp/out").startsWith("pcap_sent: only with"));
  }

  @ParameterizedTest
  @CsvSource({
    "netns, lab:a",
    "tiles, 2",
    "queue, 1",
    "mode, drv",
    "poll, prefbusy",
    "zero_copy, true",
    "loopback, true",
    "configure, auto"
  })
  void aFileHasNoDevice(String key, String value) {
    String why = refused("interface", "pcap:/tmp/a.pcap", key, value);
    assertTrue(why.startsWith(key + ": ") && why.contains("pcap:FILE"), why);
  }

  @Test
  void loIsNotUsedTwice() {
    assertTrue(refused("interface", "lo", "loopback", "true").startsWith("loopback: "));
  }

  @Test
  void processorsAreOneATile() {
    Set<Integer> there = Set.of(0, 1, 2, 5);
    assertEquals(new CpuWish(true, List.of()), CpuWish.read("auto", 3, there));
    assertEquals(List.of(2, 0, 1), CpuWish.read("2,0-1", 3, there).processors());
    assertEquals(List.of(5), CpuWish.read(" 5 ", 1, there).processors());
    assertEquals(List.of(), CpuWish.read("", 3, Set.of()).processors());
    assertTrue(cpu("0,1", 1, there).contains("2 processors are given, and the net has 1 tiles"));
    assertTrue(cpu("3", 1, there).contains("processor 3 does not exist"));
    assertTrue(cpu("3", 1, there).endsWith("allowed are 0,1,2,5"));
    assertTrue(cpu("2-1", 2, there).contains("2-1"));
    assertTrue(cpu("0-9999", 2, there).contains("processor 3"));
    assertTrue(cpu("1e3", 1, there).contains("'1e3' is neither"));
  }

  private static String cpu(String text, int tiles, Set<Integer> there) {
    NetException e = assertThrows(NetException.class, () -> CpuWish.read(text, tiles, there));
    assertEquals(Errno.EINVAL, e.code());
    assertTrue(e.getMessage().startsWith("cpu: "), e.getMessage());
    return e.getMessage();
  }
}
