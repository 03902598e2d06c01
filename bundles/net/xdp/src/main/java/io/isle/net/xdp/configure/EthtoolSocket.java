package io.isle.net.xdp.configure;

import io.isle.api.net.NetException;
import io.isle.lib.ffi.EthtoolCall;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.MemorySegment;

/** A socket in the network namespace of the thread that opens this object. */
final class EthtoolSocket implements EthtoolPort {
  private final Sockets sockets = new Sockets();
  private final EthtoolCall calls = new EthtoolCall();
  private final int socket;

  EthtoolSocket() {
    socket = sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    if (socket < 0) {
      throw new NetException(-socket, "socket for ethtool: " + SocketErrors.text(socket));
    }
  }

  @Override
  public int call(String interfaceName, MemorySegment command) {
    return calls.call(socket, interfaceName, command);
  }

  @Override
  public void close() {
    int code = sockets.close(socket);
    if (code < 0) {
      throw new NetException(-code, "close: " + SocketErrors.text(code));
    }
  }
}
