package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class InterfaceIndexTest {
  @Test
  void numbersAreThoseOfTheKernel() throws SocketException {
    try (Loopback net = new Loopback()) {
      int socket = net.bound(Sockets.SOCK_DGRAM);
      assertEquals(NetworkInterface.getByName("lo").getIndex(), InterfaceIndex.of(socket, "lo"));
      assertEquals(-Errno.ENODEV, InterfaceIndex.of(socket, "no-such-if"));
      assertEquals(-Errno.EINVAL, InterfaceIndex.of(socket, ""));
      assertEquals(-Errno.EINVAL, InterfaceIndex.of(socket, "0123456789abcdef"));
      assertEquals(-SocketErrors.EBADF, InterfaceIndex.of(-1, "lo"));
    }
  }
}
