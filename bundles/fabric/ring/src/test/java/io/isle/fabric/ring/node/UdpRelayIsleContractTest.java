package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;
import java.util.HashMap;
import java.util.Map;

/** Rings of dialect isle by UDP through relays that lose datagrams, too. */
class UdpRelayIsleContractTest extends UdpRelayContractTest {
  @Override
  Map<String, String> faults() {
    Map<String, String> all = new HashMap<>(super.faults());
    all.put("loss_ppm", "1000");
    return all;
  }

  @Override
  Dialect dialect() {
    return Dialect.ISLE;
  }
}
