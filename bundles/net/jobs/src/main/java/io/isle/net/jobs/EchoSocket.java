package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.packet.Ipv4;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A socket of UDP on one side of a lab, connected with the other side. One thread. */
final class EchoSocket implements EchoPath {
  /**
   * Room for the replies of the largest window: the kernel counts about 2.5 KiB for a frame of an
   * MTU, and doubles the value.
   */
  private static final int BUFFER_BYTES = 4 << 20;

  private static final int REFUSED = -SocketErrors.ECONNREFUSED;

  private final Sockets sockets = new Sockets();
  private final SocketIo io = new SocketIo();
  private final PollSet poll = new PollSet(1);
  private final int descriptor;

  /**
   * Opens the socket.
   *
   * @param own side of the socket
   * @param other side to send to
   * @throws NetException without the rights, or the sides
   */
  EchoSocket(LabSide own, LabSide other, int port) {
    try (NetNamespace space = NetNamespace.ofPath(Path.of(own.netns()))) {
      descriptor = space.call(() -> sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM));
    }
    check("socket", descriptor);
    try {
      SockAddr address = new SockAddr();
      address.ipv4(Ipv4.parse(own.address()), 0);
      check("bind", sockets.bind(descriptor, address));
      address.ipv4(Ipv4.parse(other.address()), port);
      check("connect", sockets.connect(descriptor, address));
      check(
          "buffer", new SocketOptions().set(descriptor, SocketOption.SO_RCVBUFFORCE, BUFFER_BYTES));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static void check(String step, long code) {
    if (code < 0) {
      throw new NetException(
          (int) -code, "socket in the lab: " + step + ": " + SocketErrors.text((int) code));
    }
  }

  @Override
  public boolean send(MemorySegment from, long offset, int length) {
    long code = io.send(descriptor, from, offset, length, 0);
    if (code == REFUSED) {
      // somebody's earlier datagram was refused, which the kernel tells now
      code = io.send(descriptor, from, offset, length, 0);
    }
    if (code == -Errno.EAGAIN || code == -SocketErrors.ENOBUFS) {
      return false;
    }
    check("send", code);
    return true;
  }

  @Override
  public int receive(MemorySegment into) {
    long code = io.receive(descriptor, into, 0, into.byteSize(), 0);
    if (code == -Errno.EAGAIN || code == REFUSED) {
      return -1;
    }
    check("receive", code);
    return (int) code;
  }

  @Override
  public void await(long millis) {
    poll.set(0, descriptor, PollSet.POLLIN);
    check("poll", poll.await(1, TimeUnit.MILLISECONDS.toNanos(millis)));
  }

  @Override
  public void close() {
    int ignored = sockets.close(descriptor);
  }
}
