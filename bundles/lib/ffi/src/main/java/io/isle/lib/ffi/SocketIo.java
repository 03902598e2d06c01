package io.isle.lib.ffi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Sends and receives ranges of memory; see {@link MessageIo} for batches of datagrams. No call
 * waits: without room, or without data, the result is -EAGAIN, also on a blocking socket. No call
 * raises a signal: a peer that is gone is -EPIPE. Every call returns bytes, 0 or more, or a negated
 * errno of Linux; interrupted calls are repeated. Allocates nothing after construction.
 *
 * <p>Memory of the caller is any native segment, for example of a mapping; the segment cannot be
 * unmapped during the call. A call throws IllegalStateException for a closed segment,
 * WrongThreadException for one of another thread, IllegalArgumentException for a heap segment or
 * for receiving into read-only memory, and IndexOutOfBoundsException for a range outside.
 *
 * <p>One thread at a time an object; a descriptor has no such limit.
 */
public final class SocketIo {
  /** Leaves what is received in the socket. */
  public static final int MSG_PEEK = 0x2;

  /** Receives a datagram that failed on the way, and why; see {@link SocketOption#IP_RECVERR}. */
  public static final int MSG_ERRQUEUE = 0x2000;

  /** Receives the full size of a datagram as the result, though the memory is smaller. */
  public static final int MSG_TRUNC = 0x20;

  /** More follows: a stream waits for it before sending part of a packet. */
  public static final int MSG_MORE = 0x8000;

  /**
   * Sends without a copy, after SO_ZEROCOPY. The kernel reads the memory after the call: only for
   * memory that outlives the transfer, never for that of a tenant.
   */
  public static final int MSG_ZEROCOPY = 0x4000000;

  /** The flag of all calls that receive. */
  static final int MSG_DONTWAIT = 0x40;

  private static final int MSG_NOSIGNAL = 0x4000;

  /** Flags of all calls that send. */
  static final int SENDING = MSG_DONTWAIT | MSG_NOSIGNAL;

  static {
    // ready before its first use behind a call
    int ignored = LastErrno.code();
  }

  private final CheckedSocketIo checked = new CheckedSocketIo();

  /**
   * Sends the range of a segment.
   *
   * @return bytes that the socket took, maybe fewer on a stream
   */
  public long send(int fd, MemorySegment data, long offset, long length, int flags) {
    Objects.checkFromIndexSize(offset, length, data.byteSize());
    long address = data.address() + offset;
    try {
      int all = flags | SENDING;
      long result = (long) SocketLib.SEND.invokeExact(fd, address, length, all, data);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.send(fd, address, length, all, data);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Receives into the range of a segment.
   *
   * @return bytes; 0 at the end of a stream, or for an empty range or datagram
   */
  public long receive(int fd, MemorySegment into, long offset, long length, int flags) {
    long address = writable(into, offset, length);
    try {
      int all = flags | MSG_DONTWAIT;
      long result = (long) SocketLib.RECV.invokeExact(fd, address, length, all, into);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.receive(fd, address, length, all, into);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Sends a datagram to an address. */
  public long sendTo(int fd, MemorySegment data, long offset, long length, int flags, SockAddr to) {
    Objects.checkFromIndexSize(offset, length, data.byteSize());
    long address = data.address() + offset;
    try {
      int all = flags | SENDING;
      long result =
          (long)
              SocketLib.SENDTO.invokeExact(
                  fd, address, length, all, to.memory(), to.length(), data);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.sendTo(fd, address, length, all, to, data);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Receives a datagram; the rest of a larger one is lost.
   *
   * @param from receives the source
   */
  public long receiveFrom(
      int fd, MemorySegment into, long offset, long length, int flags, SockAddr from) {
    long address = writable(into, offset, length);
    try {
      int all = flags | MSG_DONTWAIT;
      from.beginReceive();
      long result =
          (long)
              SocketLib.RECVFROM.invokeExact(
                  fd, address, length, all, from.memory(), from.lengthCell(), into);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.receiveFrom(fd, address, length, all, from, into);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Sends what remains of a vector; the caller advances the vector by the result. */
  public long send(int fd, IoVector data, int flags) {
    return send(fd, data.header(), data.memory(), data.scratch(), flags);
  }

  /** Receives into what remains of a vector; the caller advances the vector by the result. */
  public long receive(int fd, IoVector into, int flags) {
    requireWritable(into.scratch());
    return receive(fd, into.header(), into.memory(), into.scratch(), flags);
  }

  /**
   * Sends the message of a header.
   *
   * @param headers owner of the header
   * @param data owner of the ranges
   */
  long send(int fd, long header, MemorySegment headers, MemorySegment data, int flags) {
    try {
      int all = flags | SENDING;
      long result = (long) SocketLib.SENDMSG.invokeExact(fd, header, all, headers, data);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.send(fd, header, all, headers, data);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Receives into the message of a header. */
  long receive(int fd, long header, MemorySegment headers, MemorySegment into, int flags) {
    try {
      int all = flags | MSG_DONTWAIT;
      long result = (long) SocketLib.RECVMSG.invokeExact(fd, header, all, headers, into);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.receive(fd, header, all, headers, into);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private static long writable(MemorySegment into, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, into.byteSize());
    requireWritable(into);
    return into.address() + offset;
  }

  static void requireWritable(MemorySegment into) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("the memory to receive into is read-only");
    }
  }
}
