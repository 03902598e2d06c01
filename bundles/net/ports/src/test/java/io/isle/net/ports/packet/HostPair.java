package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.Sockets;
import io.isle.net.xdp.lab.LabRegistry;

/** A lab with a host. A test is skipped where the process may not make namespaces. */
final class HostPair implements AutoCloseable {
  static final int CLIENT = 0xC6120001;
  static final int HOST = 0xC6120002;

  private final LabRegistry labs = new LabRegistry();
  private final PacketPorts ports = new PacketPorts(labs);
  private final Sockets sockets = new Sockets();

  HostPair() {
    try {
      assertEquals(4, labs.createWithHost("pair", 1).size());
    } catch (NetException e) {
      if (e.code() == Errno.EPERM) {
        abort(e.getMessage());
      }
      throw e;
    }
  }

  /** A port on an interface. */
  OpenPort port(String interfaceName) {
    return ports.open("lab:pair:" + interfaceName, PortOptions.DEFAULT);
  }

  /** A socket of UDP beside an interface. */
  int socket(String interfaceName, int host, int port) {
    try (NetNamespace space = labs.open("pair", interfaceName)) {
      return space.call(
          () -> {
            int fd = sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
            assertTrue(fd >= 0);
            SockAddr name = new SockAddr();
            name.ipv4(host, port);
            assertEquals(0, sockets.bind(fd, name));
            return fd;
          });
    }
  }

  void close(int socket) {
    assertEquals(0, sockets.close(socket));
  }

  @Override
  public void close() {
    ports.deactivate();
    labs.close();
  }
}
