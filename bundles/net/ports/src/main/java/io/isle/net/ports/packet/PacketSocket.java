package io.isle.net.ports.packet;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.InterfaceIndex;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.net.ports.port.Failures;
import io.isle.net.ports.port.SocketRoom;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Makes sockets of AF_PACKET that see all frames that an interface receives. */
final class PacketSocket {
  private static final int SOL_PACKET = 263;
  private static final int PACKET_ADD_MEMBERSHIP = 1;
  private static final int PACKET_AUXDATA = 8;
  private static final int PACKET_VNET_HDR = 15;
  private static final int PACKET_IGNORE_OUTGOING = 23;

  /** Structure packet_mreq {int interface, u16 kind, u16, u8[8]}. */
  private static final int MEMBERSHIP_BYTES = 16;

  private static final short PROMISCUOUS = 1;

  /** Structure sockaddr_ll {u16 family, u16 protocol, int interface, u16, u8, u8, u8[8]}. */
  private static final int ADDRESS_BYTES = 20;

  private static final short ALL_PROTOCOLS = 3;
  private static final ValueLayout.OfShort BIG_U16 =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private final Sockets sockets = new Sockets();
  private final SocketOptions options = new SocketOptions();
  private final String address;
  private final PacketAddress place;

  /**
   * Names the interface.
   *
   * @param address with the scheme, for messages
   */
  PacketSocket(String address, PacketAddress place) {
    this.address = address;
    this.place = place;
  }

  /**
   * Opens a socket in the namespace of the interface, which the socket keeps alive.
   *
   * @throws NetException EPERM without CAP_NET_RAW, and for another namespace CAP_SYS_ADMIN; ENODEV
   *     without the interface; ENETDOWN if it is down; ENOENT without the namespace
   */
  int open(PortOptions wish) {
    if (place.netns().isEmpty()) {
      return here(wish);
    }
    try (NetNamespace space = place.open(address)) {
      return space.call(() -> here(wish));
    } catch (PosixException e) {
      String more = e.code() == Errno.EPERM ? " (CAP_SYS_ADMIN): start the platform as root" : "";
      throw new NetException(e.code(), address + ": " + e.getMessage() + more, e);
    }
  }

  private int here(PortOptions wish) {
    // without a protocol nothing arrives before the socket belongs to the interface
    int fd = sockets.socket(Sockets.AF_PACKET, Sockets.SOCK_RAW);
    if (fd == -Errno.EPERM) {
      throw new NetException(
          Errno.EPERM,
          address
              + ": sockets of frames need CAP_NET_RAW: start the platform as root, or use a port of"
              + " udp");
    }
    Failures.check(address + ": socket", fd);
    try {
      prepare(fd, wish);
      return fd;
    } catch (RuntimeException e) {
      int ignored = sockets.close(fd);
      throw e;
    }
  }

  private void prepare(int fd, PortOptions wish) {
    int index = InterfaceIndex.of(fd, place.interfaceName());
    if (index == -Errno.ENODEV) {
      throw new NetException(
          Errno.ENODEV, address + ": no interface '" + place.interfaceName() + "'");
    }
    Failures.check(address + ": number of the interface", index);
    option(fd, PACKET_VNET_HDR, "PACKET_VNET_HDR");
    option(fd, PACKET_AUXDATA, "PACKET_AUXDATA");
    option(fd, PACKET_IGNORE_OUTGOING, "PACKET_IGNORE_OUTGOING");
    SocketRoom.set(fd, wish);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment membership = arena.allocate(MEMBERSHIP_BYTES, 4);
      membership.set(ValueLayout.JAVA_INT, 0, index);
      membership.set(ValueLayout.JAVA_SHORT, 4, PROMISCUOUS);
      Failures.check(
          address + ": promiscuous",
          options.set(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership));
      MemorySegment name = arena.allocate(ADDRESS_BYTES, 4);
      name.set(ValueLayout.JAVA_SHORT, 0, (short) Sockets.AF_PACKET);
      name.set(BIG_U16, 2, ALL_PROTOCOLS);
      name.set(ValueLayout.JAVA_INT, 4, index);
      Failures.check(address + ": bind", sockets.bind(fd, name));
    }
    int error = options.get(fd, SocketOption.SO_ERROR);
    if (error != 0) {
      int code = Math.abs(error);
      throw new NetException(
          code,
          address
              + ": "
              + (code == SocketErrors.ENETDOWN
                  ? "the interface is down"
                  : SocketErrors.text(code)));
    }
  }

  private void option(int fd, int number, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment on = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
      Failures.check(address + ": " + name, options.set(fd, SOL_PACKET, number, on));
    }
  }
}
