package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Backoff;
import java.util.List;

/**
 * The side of the next node: connects and offers a segment, again and again after every failure. A
 * connection that is up is the path: the port makes no other one to find out whether somebody
 * listens.
 */
final class ShmConnector extends ShmPort {
  /** Longest wait for the segment of the next node, in nanoseconds. */
  static final long ANSWER_NS = 3_000_000_000L;

  private static final long NOT_SET = Long.MIN_VALUE;

  private final Backoff backoff;
  private final Handshake handshake;

  /** The connection that waits for an answer, with what was offered; else -1. */
  private int connecting = -1;

  private OwnBanks offered;

  /** The time of the next attempt, or of the end of the present one. */
  private long due = NOT_SET;

  private long upSince = NOT_SET;

  ShmConnector(ShmSettings settings, ShmKernel kernel, Backoff backoff, Handshake handshake) {
    super(settings, kernel, PortState.CONNECTING);
    this.backoff = backoff;
    this.handshake = handshake;
    notes(List.of(sizes()));
  }

  @Override
  public long poll(long nowNs) {
    if (closed()) {
      return Long.MAX_VALUE;
    }
    watchPath();
    if (path() != null) {
      upSince = upSince == NOT_SET ? nowNs : upSince;
      return nextWatch(nowNs);
    }
    if (upSince != NOT_SET) {
      // a neighbour that takes connections and ends them at once is not asked at once
      if (nowNs - upSince >= Backoff.MOST_NS) {
        backoff.reset();
      }
      upSince = NOT_SET;
      due = nowNs + backoff.next();
    }
    if (connecting < 0 && nowNs >= due) {
      connect(nowNs);
    }
    if (connecting >= 0) {
      answer(nowNs);
    }
    return path() != null ? nextWatch(nowNs) : due;
  }

  private void connect(long nowNs) {
    int socket = kernel.sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET);
    int code = socket;
    if (socket >= 0) {
      code = kernel.sockets.connect(socket, settings.socket(kernel.users.own()));
    }
    if (code < 0) {
      drop(socket);
      retry(text(-code), nowNs);
      failure(-code);
    } else if (!kernel.isOwnUser(socket)) {
      int user = kernel.users.of(socket).uid();
      drop(socket);
      foreign(1);
      retry(
          "user "
              + Integer.toUnsignedString(user)
              + " listens there, not user "
              + Integer.toUnsignedString(kernel.users.own())
              + ": run both nodes as one user, or choose another name",
          nowNs);
    } else {
      offer(socket, nowNs);
    }
  }

  private void offer(int socket, long nowNs) {
    try {
      offered = handshake.offer(socket);
    } catch (PosixException e) {
      drop(socket);
      retry("no segment: " + e.getMessage(), nowNs);
      return;
    }
    connecting = socket;
    due = nowNs + ANSWER_NS;
  }

  /** Looks for the segment of the next node. */
  private void answer(long nowNs) {
    int bytes = kernel.message.receive(connecting);
    if (bytes == -Errno.EAGAIN) {
      if (nowNs >= due) {
        giveUp("no answer within 3 s. The next node hangs, or starts", nowNs);
      }
      return;
    }
    String fault = handshake.fault(bytes);
    if (fault.isEmpty()) {
      try {
        ShmPath path = handshake.complete(connecting, offered);
        connecting = -1;
        offered = null;
        upSince = nowNs;
        begin(path);
        return;
      } catch (PosixException e) {
        fault = "its segment cannot be used: " + e.getMessage();
      }
    }
    kernel.message.closeReceived();
    boolean closed = bytes == 0 || bytes == -SocketErrors.ECONNRESET;
    giveUp(closed ? fault + ": another neighbour may be connected there" : fault, nowNs);
  }

  private void giveUp(String text, long nowNs) {
    release(true);
    retry(text, nowNs);
  }

  private void drop(int socket) {
    if (socket >= 0) {
      kernel.close(socket);
    }
  }

  private static String text(int errno) {
    return switch (errno) {
      case SocketErrors.ECONNREFUSED ->
          "Connection refused. No node of this machine and user listens there: start the next"
              + " node, or correct next";
      case Errno.EAGAIN -> "too many connections wait there. The next node hangs, or starts";
      default -> SocketErrors.text(errno);
    };
  }

  private void retry(String text, long nowNs) {
    reason("next: " + settings.address() + ": " + text);
    failure(0);
    state(PortState.CONNECTING);
    due = nowNs + backoff.next();
  }

  @Override
  void lost() {
    state(PortState.CONNECTING);
    reason(reason().isEmpty() ? "" : "next: " + reason());
    // the next poll knows the time
    upSince = upSince == NOT_SET ? Long.MAX_VALUE : upSince;
  }

  @Override
  void ownInterests(Interests events) {
    if (connecting >= 0) {
      events.add(connecting, READABLE);
    }
  }

  @Override
  int kept() {
    return -1;
  }

  /** An exchange without an outcome is not worth keeping: the next version begins another one. */
  @Override
  void release(boolean close) {
    if (connecting >= 0) {
      kernel.close(connecting);
      offered.close();
    }
    connecting = -1;
    offered = null;
  }

  /** Takes over what was parked; false, without a change of the descriptors, if that is unknown. */
  boolean adopt(ParkedPort parked) {
    return ShmParking.adopt(this, parked, null);
  }
}
