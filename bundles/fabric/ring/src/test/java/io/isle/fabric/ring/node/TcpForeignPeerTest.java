package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingTransport;
import io.isle.fabric.tcp.TcpTransport;
import java.util.List;

/** Rings by TCP with programs in C. */
class TcpForeignPeerTest extends ForeignPeerContract {
  @Override
  RingTransport transport() {
    return new TcpTransport();
  }

  @Override
  String scheme() {
    return "tcp";
  }

  @Override
  List<Integer> ports(int count) {
    return FreePorts.tcp(count);
  }
}
