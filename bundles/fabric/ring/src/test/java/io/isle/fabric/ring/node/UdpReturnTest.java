package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingTransport;
import io.isle.fabric.udp.UdpTransport;
import java.util.List;

/** Nodes that come back by UDP. */
class UdpReturnTest extends ReturnContract {
  @Override
  RingTransport transport() {
    return new UdpTransport();
  }

  @Override
  List<String> addresses(int count) {
    return FreePorts.udp(count).stream().map(port -> "udp://127.0.0.1:" + port).toList();
  }
}
