package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingTransport;
import io.isle.fabric.tcp.TcpTransport;
import java.util.List;

/** Nodes that come back by TCP. */
class TcpReturnTest extends ReturnContract {
  @Override
  RingTransport transport() {
    return new TcpTransport();
  }

  @Override
  List<String> addresses(int count) {
    return FreePorts.tcp(count).stream().map(port -> "tcp://127.0.0.1:" + port).toList();
  }
}
