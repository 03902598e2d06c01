package io.isle.lib.ffi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Sends and receives. No call waits: without room, or without data, the result is -EAGAIN, also on
 * a blocking socket. No call raises a signal: a peer that is gone is -EPIPE. Every call returns
 * bytes or messages, 0 or more, or a negated errno of Linux; interrupted calls are repeated.
 * Allocates nothing after construction.
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

  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int ALWAYS = MSG_DONTWAIT | MSG_NOSIGNAL;

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
      int all = flags | ALWAYS;
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
      int all = flags | ALWAYS;
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

  /** Sends one message of a batch. */
  public long send(int fd, MessageBatch batch, int index, int flags) {
    long header = batch.header(index);
    batch.beginSend(index);
    long result = send(fd, header, batch.memory(), batch.scratch(), flags);
    batch.moved(index, Math.max(0, result));
    return result;
  }

  /** Receives one message of a batch. */
  public long receive(int fd, MessageBatch batch, int index, int flags) {
    requireWritable(batch.scratch());
    long header = batch.header(index);
    batch.beginReceive(index);
    long result = receive(fd, header, batch.memory(), batch.scratch(), flags);
    batch.moved(index, Math.max(0, result));
    return result;
  }

  /**
   * Sends messages of a batch, in order, until one fails.
   *
   * @return messages that were sent; a negated errno if the first one failed
   */
  public int sendMany(int fd, MessageBatch batch, int first, int count, int flags) {
    Objects.checkFromIndexSize(first, count, batch.capacity());
    for (int i = first; i < first + count; i++) {
      batch.beginSend(i);
    }
    long headers = batch.header(first);
    try {
      int all = flags | ALWAYS;
      int result =
          (int)
              SocketLib.SENDMMSG.invokeExact(
                  fd, headers, count, all, batch.memory(), batch.scratch());
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.sendMany(fd, headers, count, all, batch);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Receives up to {@code count} messages into a batch.
   *
   * @return messages that were received; a negated errno without any
   */
  public int receiveMany(int fd, MessageBatch batch, int first, int count, int flags) {
    Objects.checkFromIndexSize(first, count, batch.capacity());
    requireWritable(batch.scratch());
    for (int i = first; i < first + count; i++) {
      batch.beginReceive(i);
    }
    long headers = batch.header(first);
    try {
      int all = flags | MSG_DONTWAIT;
      int result =
          (int)
              SocketLib.RECVMMSG.invokeExact(
                  fd, headers, count, all, 0L, batch.memory(), batch.scratch());
      int code = result < 0 ? LastErrno.code() : 0;
      if (result < 0 && code == 0) {
        return checked.receiveMany(fd, headers, count, all, batch);
      }
      return result < 0 ? code : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private long send(int fd, long header, MemorySegment headers, MemorySegment data, int flags) {
    try {
      int all = flags | ALWAYS;
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

  private long receive(int fd, long header, MemorySegment headers, MemorySegment into, int flags) {
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

  private static void requireWritable(MemorySegment into) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("the memory to receive into is read-only");
    }
  }
}
