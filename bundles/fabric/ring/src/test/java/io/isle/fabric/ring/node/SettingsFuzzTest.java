package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.PathSpec;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.shm.ShmTransport;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any settings of a node, a line each: taken within their limits, or refused with their key. */
class SettingsFuzzTest {
  private static final Map<String, RingTransport> TRANSPORTS =
      Map.of("tcp", new TcpTransport(), "udp", new UdpTransport(), "shm", new ShmTransport());

  static Stream<byte[]> seeds() {
    return Stream.of(
            """
            dim=64
            role=master
            layers=12
            listen=tcp://127.0.0.1:9001
            next=tcp://[::1]:9002
            allow=10.0.0.0/8, ::1/128
            plaintext=true
            """,
            """
            packet_bytes=1m
            role=tail
            start=2
            end=4
            stage=mix
            listen=udp://localhost:9001
            next=udp://127.0.0.1:9002
            prev.address=127.0.0.1:9000
            frame_timeout_ms=300
            """,
            """
            dim=1000
            ring=a.b-c_d
            prev.dialect=isle
            next.dialect=isle
            listen=tcp://127.0.0.1:1,udp://127.0.0.1:1,shm://x
            next=shm://y
            window=1
            heartbeat_ms=10
            reassembly_bytes=64k
            """)
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest
  void settingsAreTakenOrRefusedWithTheirKey(byte[] text) {
    Map<String, String> given = new HashMap<>();
    new String(text, StandardCharsets.UTF_8)
        .lines()
        .forEach(
            line -> {
              int end = line.indexOf('=');
              given.put(line.substring(0, Math.max(end, 0)), line.substring(end + 1));
            });
    NodeSettings settings;
    try {
      settings = NodeSettings.of(given);
    } catch (RingException e) {
      assertNamesKey(e);
      return;
    }
    assertTrue(settings.packetBytes() >= 1 && settings.packetBytes() <= NodeSettings.MAX_PACKET);
    assertTrue(settings.range().start() <= settings.range().end());
    assertTrue(settings.buffers().reassemblyBytes() >= settings.packetBytes());
    LinkSpecs links = new LinkSpecs("n", settings);
    List<PathSpec> paths = new ArrayList<>(links.prev().paths());
    paths.addAll(links.next().paths());
    paths.forEach(SettingsFuzzTest::open);
  }

  private static void open(PathSpec path) {
    RingTransport transport = TRANSPORTS.get(path.transport());
    if (transport == null) {
      return;
    }
    try (RingPort port = transport.open(path.port())) {
      assertTrue(port.paths() == 0 || path.transport().equals("udp"));
    } catch (RingException e) {
      assertNamesKey(e);
    }
  }

  private static void assertNamesKey(RingException refused) {
    String why = refused.getMessage();
    boolean named =
        why.contains("is not a key of a node")
            || NodeSettings.keys().stream().anyMatch(why::contains);
    assertTrue(named && why.length() < 2000, why);
  }
}
