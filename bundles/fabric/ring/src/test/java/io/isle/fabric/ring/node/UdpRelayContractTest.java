package io.isle.fabric.ring.node;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Rings by UDP through relays that repeat and reorder datagrams, but lose none. */
class UdpRelayContractTest extends UdpContractTest {
  private final Relays relays = new Relays(faults());

  Map<String, String> faults() {
    return Map.of("duplicate_ppm", "20000", "reorder_ppm", "20000", "reorder_ms", "1");
  }

  @Override
  List<String> ways(List<String> addresses) {
    return addresses.stream().map(relays::before).toList();
  }

  @AfterEach
  void close() {
    relays.close();
  }
}
