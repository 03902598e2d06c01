package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Backoff;
import java.util.List;

/**
 * The side of the predecessor: listens, and takes the first connection that offers a segment. While
 * the predecessor is connected, later connections are closed and counted.
 */
final class ShmListener extends ShmPort {
  private static final int BACKLOG = 128;
  private static final int MOST_ACCEPTS = 64;

  private final Backoff backoff;
  private final Newcomers newcomers;
  private final Handshake handshake;
  private final SockAddr unnamed = new SockAddr();
  private int listener = -1;

  /** The time of the next attempt to bind, or to accept; the least number for events alone. */
  private long due = Long.MIN_VALUE;

  ShmListener(ShmSettings settings, ShmKernel kernel, Backoff backoff, Handshake handshake) {
    super(settings, kernel, PortState.LISTENING);
    this.backoff = backoff;
    this.handshake = handshake;
    this.newcomers = new Newcomers(kernel);
  }

  @Override
  public long poll(long nowNs) {
    if (closed()) {
      return Long.MAX_VALUE;
    }
    watchPath();
    if (listener < 0 && nowNs >= due) {
      listen(nowNs);
    }
    if (listener >= 0 && nowNs >= due) {
      due = accept(nowNs);
    }
    meet(nowNs);
    boolean watching = path() != null || !newcomers.isEmpty();
    long next = due == Long.MIN_VALUE ? Long.MAX_VALUE : due;
    return watching ? Math.min(next, nextWatch(nowNs)) : next;
  }

  /** Reads the offers of newcomers, until one of them is the predecessor. */
  private void meet(long nowNs) {
    for (int i = 0; path() == null && i < newcomers.size(); ) {
      int socket = newcomers.socket(i);
      int bytes = kernel.message.receive(socket);
      if (bytes == -Errno.EAGAIN) {
        i++;
      } else {
        newcomers.remove(i);
        answer(socket, bytes);
      }
    }
    if (path() == null) {
      strays(newcomers.dropSilent(nowNs));
    } else if (!path().ended()) {
      strays(newcomers.drop());
    }
  }

  private void answer(int socket, int bytes) {
    String fault = handshake.fault(bytes);
    if (fault.isEmpty()) {
      try {
        begin(handshake.answer(socket));
        return;
      } catch (PosixException e) {
        fault = "no segment for it: " + e.getMessage();
      }
    }
    // who only looks whether somebody listens is no failure
    if (bytes > 0 || bytes == -Errno.EMSGSIZE) {
      reason("listen: " + settings.address() + ": " + handshake.peer(socket) + ": " + fault);
    }
    kernel.message.closeReceived();
    kernel.close(socket);
    strays(1);
  }

  /** Binds and listens; sets the time of the next attempt. */
  private void listen(long nowNs) {
    int socket = kernel.sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET);
    int code = socket;
    if (socket >= 0) {
      code = kernel.sockets.bind(socket, settings.socket(kernel.users.own()));
      code = code == 0 ? kernel.sockets.listen(socket, BACKLOG) : code;
      if (code != 0) {
        kernel.close(socket);
      }
    }
    if (code < 0) {
      reason("listen: " + settings.address() + ": " + SocketErrors.text(code) + remedy(-code));
      due = nowNs + backoff.next();
      idle();
      return;
    }
    own(socket);
    backoff.reset();
    due = Long.MIN_VALUE;
    reason("");
    idle();
  }

  private void own(int socket) {
    listener = socket;
    notes(List.of("listens on " + settings.address() + " for user " + kernel.users.own(), sizes()));
  }

  private static String remedy(int errno) {
    return errno == SocketErrors.EADDRINUSE
        ? ". Another node of this machine has the name: end the node, or choose another name in"
            + " listen"
        : "";
  }

  /**
   * Takes waiting connections, a bounded number.
   *
   * @return the time of the next call
   */
  private long accept(long nowNs) {
    for (int i = 0; i < MOST_ACCEPTS; i++) {
      int connection = kernel.sockets.accept(listener, unnamed);
      switch (-connection) {
        case Errno.EAGAIN -> {
          backoff.reset();
          return Long.MIN_VALUE;
        }
        case SocketErrors.EMFILE, SocketErrors.ENFILE, SocketErrors.ENOBUFS, Errno.ENOMEM -> {
          reason("connections cannot be accepted: " + SocketErrors.text(connection));
          return nowNs + backoff.next();
        }
        default -> {
          if (connection >= 0) {
            judge(connection, nowNs);
          }
        }
      }
    }
    return nowNs;
  }

  private void judge(int connection, long nowNs) {
    if (!kernel.isOwnUser(connection)) {
      kernel.close(connection);
      foreign(1);
    } else if (path() != null && !path().ended() || !newcomers.add(connection, nowNs)) {
      kernel.close(connection);
      strays(1);
    }
  }

  @Override
  void lost() {
    idle();
  }

  private void idle() {
    if (path() == null) {
      state(listener >= 0 ? PortState.LISTENING : PortState.FAILED);
    }
  }

  @Override
  void ownInterests(Interests events) {
    if (listener >= 0 && due == Long.MIN_VALUE) {
      events.add(listener, READABLE);
    }
    if (path() == null) {
      newcomers.interests(events);
    }
  }

  @Override
  int kept() {
    return listener;
  }

  @Override
  void release(boolean close) {
    if (listener >= 0 && close) {
      kernel.close(listener);
    }
    listener = -1;
    newcomers.drop();
  }

  /** Takes over what was parked; false, without a change of the descriptors, if that is unknown. */
  boolean adopt(ParkedPort parked) {
    return ShmParking.adopt(this, parked, this::own);
  }
}
