package io.isle.net.ports.udp;

import io.isle.api.net.NetException;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.net.ports.port.Failures;
import io.isle.net.ports.port.SocketPort;
import io.isle.net.ports.port.SocketRoom;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A socket of UDP. Datagrams that arrive get headers; of a frame to send, the payload leaves for
 * the destination in its headers, whatever source they name.
 */
final class UdpPort extends SocketPort {
  private final int host;
  private final int port;
  private final int stride;
  private final MemorySegment arrived;
  private final MessageBatch batch;
  private final SocketIo io = new SocketIo();
  private final SockAddr to = new SockAddr();

  private UdpPort(String address, int descriptor, int host, int port, PortOptions options) {
    super(address, descriptor, Arena.ofAuto().allocate(options.mtu(), 8), 0, options.mtu());
    this.host = host;
    this.port = port;
    stride = options.mtu() + 7 & -8;
    arrived = Arena.ofAuto().allocate((long) stride * BATCH, 8);
    batch = new MessageBatch(arrived, BATCH);
    for (int i = 0; i < BATCH; i++) {
      int payload = i * stride + DatagramHeaders.BYTES;
      batch.set(i, payload, options.mtu() - DatagramHeaders.BYTES);
    }
  }

  /**
   * Binds a socket.
   *
   * @param place {@code A.B.C.D:PORT}; port 0 takes a free one
   * @throws NetException EINVAL for another text; the kernel's code otherwise
   */
  static UdpPort open(String place, PortOptions options) {
    String address = UdpPorts.NAME + ":" + place;
    UdpAddress local = UdpAddress.parse(address, place);
    Sockets sockets = new Sockets();
    int fd =
        Failures.check(address + ": socket", sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM));
    try {
      SockAddr name = new SockAddr();
      name.ipv4(local.host(), local.port());
      SocketRoom.set(fd, options);
      Failures.check(address + ": bind", sockets.bind(fd, name));
      Failures.check(address + ": local address", sockets.localAddress(fd, name));
      return new UdpPort(UdpPorts.NAME + ":" + name, fd, local.host(), name.port(), options);
    } catch (RuntimeException e) {
      int ignored = sockets.close(fd);
      throw e;
    }
  }

  @Override
  protected MessageBatch batch() {
    return batch;
  }

  @Override
  protected int message(int index, Handler handler, PlaceHandler place) {
    if (batch.truncated(index)) {
      drop();
      return 0;
    }
    SockAddr from = batch.address(index);
    long at = (long) index * stride;
    int bytes =
        DatagramHeaders.write(
            arrived, at, (int) from.low(), from.port(), host, port, batch.length(index));
    pass(handler, place, arrived, at, bytes);
    return 1;
  }

  @Override
  protected boolean send(int length) {
    MemorySegment frame = memory();
    if (UdpFrame.check(frame, 0, length, false) != Drop.NONE) {
      return false;
    }
    int headers = UdpFrame.headerBytes(frame, 0);
    int payload = UdpFrame.payloadBytes(frame, 0);
    to.ipv4(
        Ipv4.destination(frame, UdpFrame.ip(0)),
        Udp.destinationPort(frame, UdpFrame.udp(frame, 0)));
    return io.sendTo(descriptor(), frame, headers, payload, 0, to) == payload;
  }
}
