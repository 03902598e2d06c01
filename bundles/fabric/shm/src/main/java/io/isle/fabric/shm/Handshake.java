package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SocketErrors;
import java.util.List;

/**
 * The exchange of segments: the connecting side offers its own, the other one answers with its own.
 * Works on the last message of the port's kernel. One thread at a time.
 */
final class Handshake {
  private final ShmSettings settings;
  private final ShmKernel kernel;
  private final long source;

  /**
   * @param source number of this side in state lines
   */
  Handshake(ShmSettings settings, ShmKernel kernel, long source) {
    this.settings = settings;
    this.kernel = kernel;
    this.source = source;
  }

  /**
   * Checks a received message and its segment.
   *
   * @param bytes as received: bytes, 0 or a negated errno
   * @return the fault in words; empty for none
   */
  String fault(int bytes) {
    if (bytes == 0 || bytes == -SocketErrors.ECONNRESET) {
      return "closed the connection before it had passed a segment";
    }
    if (bytes == -Errno.EMSGSIZE) {
      return "its message has more than " + ShmHello.BYTES + " B or too many descriptors";
    }
    if (bytes < 0) {
      return SocketErrors.text(bytes);
    }
    String fault = ShmHello.fault(kernel.message.data(), bytes, kernel.message.count());
    return fault.isEmpty() ? PeerBanks.fault(kernel.message.descriptor(0)) : fault;
  }

  /** The process at the other end, in words. */
  String peer(int socket) {
    PeerCredentials peer = kernel.users.of(socket);
    return settings.address() + " (process " + peer.pid() + ")";
  }

  /**
   * Makes a segment and offers it by a connection.
   *
   * @throws PosixException if the kernel refuses
   */
  OwnBanks offer(int socket) {
    OwnBanks own = OwnBanks.make(kernel);
    int code = own.offer(socket, source);
    if (code != ShmHello.BYTES) {
      own.close();
      throw new PosixException("sendmsg", code);
    }
    return own;
  }

  /**
   * Answers the message without a fault that was received last.
   *
   * @return the path, which owns the socket and the received descriptors
   * @throws PosixException if the kernel refuses; the caller still owns the socket
   */
  ShmPath answer(int socket) {
    PeerBanks theirs = received();
    boolean done = false;
    try {
      ShmPath path = path(socket, offer(socket), theirs);
      done = true;
      return path;
    } finally {
      if (!done) {
        theirs.unmap();
        theirs.close();
      }
    }
  }

  /**
   * Ends the exchange with the message without a fault that was received last.
   *
   * @return the path, which owns all
   * @throws PosixException if the kernel refuses; the caller still owns the socket and {@code own}
   */
  ShmPath complete(int socket, OwnBanks own) {
    return path(socket, own, received());
  }

  private PeerBanks received() {
    try {
      PeerBanks theirs =
          new PeerBanks(
              kernel,
              List.of(
                  kernel.message.descriptor(0),
                  kernel.message.descriptor(1),
                  kernel.message.descriptor(2)));
      kernel.message.forgetReceived();
      return theirs;
    } finally {
      kernel.message.closeReceived();
    }
  }

  private ShmPath path(int socket, OwnBanks own, PeerBanks theirs) {
    ShmPath.Position begin = new ShmPath.Position(peer(socket), source, 0, 0, ShmPath.NONE);
    return new ShmPath(kernel, socket, own, theirs, begin);
  }
}
