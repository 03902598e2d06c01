package io.isle.fabric.tcp;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.TcpInfo;
import java.lang.foreign.MemorySegment;

/** A connection to the neighbour, until its end. One thread at a time. */
final class TcpPath {
  /** Reads between two wishes for delayed acknowledgements, less one. */
  private static final int ACK_MASK = 255;

  private int reads;
  private final TcpKernel kernel;
  private final int descriptor;
  private final String peer;
  private final boolean drains;
  private final Silence silence = new Silence();
  private String end = "";
  private boolean drained;
  private boolean dead;

  /** Unread bytes from which on the descriptor is readable. */
  private int readable = 1;

  /**
   * @param drains whether the bytes that arrived before the end are read
   */
  TcpPath(TcpKernel kernel, int descriptor, String peer, boolean drains) {
    this.kernel = kernel;
    this.descriptor = descriptor;
    this.peer = peer;
    this.drains = drains;
  }

  int descriptor() {
    return descriptor;
  }

  String peer() {
    return peer;
  }

  /** The reason of the end in words; empty before. */
  String end() {
    return end;
  }

  /** Whether no byte passes any more, but for those that have arrived. */
  boolean ended() {
    return !end.isEmpty();
  }

  /** Whether the path has ended and has no byte left to read. */
  boolean finished() {
    return ended() && (!drains || drained || kernel.sockets.unread(descriptor) <= 0);
  }

  long write(MemorySegment from, long offset, long length, boolean more) {
    if (ended()) {
      return -Errno.ENOTCONN;
    }
    long written = kernel.io.send(descriptor, from, offset, length, more ? SocketIo.MSG_MORE : 0);
    if (written >= 0 || written == -Errno.EAGAIN) {
      return written;
    }
    end((int) written);
    return -Errno.ENOTCONN;
  }

  long read(MemorySegment into, long offset, long length) {
    if (drained) {
      return -Errno.ENOTCONN;
    }
    if (length == 0) {
      return 0;
    }
    long bytes = kernel.io.receive(descriptor, into, offset, length, 0);
    if (bytes > 0 && (reads++ & ACK_MASK) == 0) {
      delayAcks();
    }
    if (bytes > 0 || bytes == -Errno.EAGAIN && !ended()) {
      return bytes;
    }
    drained = true;
    end((int) bytes);
    return -Errno.ENOTCONN;
  }

  /** Sets how many unread bytes make the descriptor readable. */
  void readableFrom(int bytes) {
    if (bytes != readable && !ended()) {
      readable = bytes;
      // a kernel without the option reports each byte
      int ignored = kernel.options.set(descriptor, SocketOption.SO_RCVLOWAT, bytes);
    }
  }

  /** Finds an end that no call has met: the peer closed, was reset, or is silent. */
  void watch(long nowNs) {
    if (ended()) {
      return;
    }
    Vitals vitals = kernel.vitals;
    int code = vitals.read(descriptor);
    if (code != 0) {
      end(code);
    } else if (vitals.state() == TcpInfo.TCP_CLOSE_WAIT) {
      end(0);
    } else if (vitals.state() != TcpInfo.TCP_ESTABLISHED) {
      end(-Math.max(0, kernel.options.get(descriptor, SocketOption.SO_ERROR)));
    } else {
      long silent =
          silence.observe(nowNs, vitals.retransmits(), vitals.probes(), vitals.sinceAcknowledged());
      if (silent >= Silence.LIMIT_NS) {
        dead = true;
        end = peer + " answered nothing for 5 s. The machine or the network may be down";
      }
    }
  }

  void close() {
    if (dead) {
      kernel.drop(descriptor);
    } else {
      kernel.close(descriptor);
    }
  }

  /**
   * A path of dialect leap carries packets in one direction only, so the kernel would answer each
   * read by a segment that only acknowledges. That costs more time than a small packet. The kernel
   * forgets the wish after a pause, so the wish is repeated.
   */
  private void delayAcks() {
    int ignored = kernel.options.set(descriptor, SocketOption.TCP_QUICKACK, 0);
  }

  /** Ends the path for a reason of the link. */
  void end(String why) {
    end = why;
  }

  /** The first reason stays. */
  private void end(int code) {
    if (!ended()) {
      end =
          peer
              + switch (-code) {
                case 0, SocketErrors.EPIPE -> " closed the connection";
                case SocketErrors.ECONNRESET -> " reset the connection: the node may have ended";
                case Errno.ETIMEDOUT ->
                    " answered no probe for 3 s. The machine or the network may be down";
                default -> ": " + SocketErrors.text(code);
              };
    }
  }
}
