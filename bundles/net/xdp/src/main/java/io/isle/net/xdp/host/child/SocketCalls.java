package io.isle.net.xdp.host.child;

import io.isle.api.net.tile.TileCalls;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.XdpWake;
import io.isle.net.xdp.host.wire.Orders;
import java.lang.foreign.MemorySegment;

/** The calls of a tile on sockets with the agreed numbers. The tile's thread. */
final class SocketCalls implements TileCalls {
  private static final int SOL_XDP = 283;
  private static final int XDP_STATISTICS = 7;

  private final SocketOptions options = new SocketOptions();

  @Override
  public int wakeRx(int port) {
    return XdpWake.receive(Orders.FIRST_PORT + port);
  }

  @Override
  public int wakeTx(int port) {
    return XdpWake.transmit(Orders.FIRST_PORT + port);
  }

  @Override
  public int statistics(int port, MemorySegment into) {
    return Math.min(0, options.get(Orders.FIRST_PORT + port, SOL_XDP, XDP_STATISTICS, into));
  }
}
