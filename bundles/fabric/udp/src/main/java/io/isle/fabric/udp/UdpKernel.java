package io.isle.fabric.udp;

import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.Sockets;

/** The calls of one port. One thread at a time. */
final class UdpKernel {
  final Sockets sockets = new Sockets();
  final Datagrams calls;

  UdpKernel(Datagrams calls) {
    this.calls = calls;
  }

  /** Closes a socket. */
  void close(int descriptor) {
    int code = sockets.close(descriptor);
    if (code != 0) {
      throw new IllegalStateException("close " + descriptor + ": " + SocketErrors.text(code));
    }
  }

  /** The largest packet on the way to an address, headers included; 0 if not known. */
  int pathMtu(SockAddr to) {
    int probe = sockets.socket(to.family(), Sockets.SOCK_DGRAM);
    if (probe < 0) {
      return 0;
    }
    try {
      SocketOption option =
          to.family() == Sockets.AF_INET6 ? SocketOption.IPV6_MTU : SocketOption.IP_MTU;
      return sockets.connect(probe, to) == 0 ? Math.max(0, calls.get(probe, option)) : 0;
    } finally {
      close(probe);
    }
  }
}
