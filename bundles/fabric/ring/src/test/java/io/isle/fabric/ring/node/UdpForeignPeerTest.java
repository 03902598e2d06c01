package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingTransport;
import io.isle.fabric.udp.UdpTransport;
import java.util.List;

/** Rings by UDP with programs in C. */
class UdpForeignPeerTest extends ForeignPeerContract {
  @Override
  RingTransport transport() {
    return new UdpTransport();
  }

  @Override
  String scheme() {
    return "udp";
  }

  @Override
  List<Integer> ports(int count) {
    return FreePorts.udp(count);
  }
}
