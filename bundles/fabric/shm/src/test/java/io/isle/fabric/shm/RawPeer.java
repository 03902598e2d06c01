package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The other end of a socket of a port, for exchanges that go wrong. One thread. */
final class RawPeer implements AutoCloseable {
  private final Sockets sockets = new Sockets();
  private final SocketIo io = new SocketIo();
  final DescriptorMessage message = new DescriptorMessage(64, 8);
  private final Arena arena = Arena.ofShared();
  private final int[] frames = new int[2];
  private final int[] banks = new int[2];
  final int socket;
  MemoryFile file;

  private RawPeer(int socket) {
    this.socket = socket;
    sockets.pair(Sockets.SOCK_STREAM, frames);
    sockets.pair(Sockets.SOCK_STREAM, banks);
  }

  static SockAddr address(String name) {
    SockAddr address = new SockAddr();
    address.unix("isle-ring-" + PeerCredentials.ownUid() + "-" + name);
    return address;
  }

  static RawPeer connect(String name) {
    Sockets sockets = new Sockets();
    int socket = sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET);
    int code = sockets.connect(socket, address(name));
    if (code != 0) {
      throw new AssertionError("connect: " + Errno.name(-code));
    }
    return new RawPeer(socket);
  }

  /** A listening socket in place of the next node. */
  static int server(String name) {
    Sockets sockets = new Sockets();
    int socket = sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET);
    if (sockets.bind(socket, address(name)) != 0 || sockets.listen(socket, 8) != 0) {
      throw new AssertionError("listen");
    }
    return socket;
  }

  /** The connection that waits at a listening socket; null without one. */
  static RawPeer accepted(int server) {
    int socket = new Sockets().accept(server, new SockAddr());
    return socket < 0 ? null : new RawPeer(socket);
  }

  int frameBell() {
    return frames[1];
  }

  int bankBell() {
    return banks[1];
  }

  /** A file for a segment. */
  int file(long bytes, boolean sealed) {
    file = MemoryFile.create("isle-test", bytes);
    if (sealed) {
      file.seal(false);
    }
    return file.descriptor();
  }

  void offer(int bytes, int... descriptors) {
    int sent = message.send(socket, bytes, descriptors);
    if (sent != bytes) {
      throw new AssertionError("sendmsg: " + Errno.name(-sent));
    }
  }

  /** The offer of a node. */
  void offer() {
    ShmHello.write(message.data(), 1);
    offer(ShmHello.BYTES, file(BankLayout.BYTES, true), frameBell(), bankBell());
  }

  /** The segment that the port receives by, after its message has come. */
  MemorySegment segment() {
    MemorySegment mapped = MemoryFile.map(message.descriptor(0), BankLayout.BYTES, true, arena);
    return mapped;
  }

  int send(int bytes) {
    return (int) io.send(socket, arena.allocate(bytes), 0, bytes, 0);
  }

  /** Whether the port has closed the connection. */
  boolean isClosed() {
    int got = message.receive(socket);
    message.closeReceived();
    return got == 0;
  }

  void destroyFrameBellOf(int bell) {
    sockets.shutdown(bell, Sockets.SHUT_RDWR);
  }

  @Override
  public void close() {
    message.closeReceived();
    sockets.close(socket);
    for (int i = 0; i < 2; i++) {
      sockets.close(frames[i]);
      sockets.close(banks[i]);
    }
    if (file != null) {
      file.close();
    }
    arena.close();
  }
}
