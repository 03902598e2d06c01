package io.isle.lib.ffi;

import io.isle.api.base.Errno;
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

  private final MemorySegment state = SocketLib.state();

  /**
   * Sends the range of a segment.
   *
   * @return bytes that the socket took, maybe fewer on a stream
   */
  public long send(int fd, MemorySegment data, long offset, long length, int flags) {
    Objects.checkFromIndexSize(offset, length, data.byteSize());
    long address = data.address() + offset;
    try {
      long result;
      do {
        result =
            (long) SocketLib.SEND.invokeExact(state, fd, address, length, flags | ALWAYS, data);
      } while (result < 0 && again());
      return result(result);
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
      long result;
      do {
        result =
            (long)
                SocketLib.RECV.invokeExact(state, fd, address, length, flags | MSG_DONTWAIT, into);
      } while (result < 0 && again());
      return result(result);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Sends a datagram to an address. */
  public long sendTo(int fd, MemorySegment data, long offset, long length, int flags, SockAddr to) {
    Objects.checkFromIndexSize(offset, length, data.byteSize());
    long address = data.address() + offset;
    try {
      long result;
      do {
        result =
            (long)
                SocketLib.SENDTO.invokeExact(
                    state, fd, address, length, flags | ALWAYS, to.memory(), to.length(), data);
      } while (result < 0 && again());
      return result(result);
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
      long result;
      do {
        from.beginReceive();
        result =
            (long)
                SocketLib.RECVFROM.invokeExact(
                    state,
                    fd,
                    address,
                    length,
                    flags | MSG_DONTWAIT,
                    from.memory(),
                    from.lengthCell(),
                    into);
      } while (result < 0 && again());
      return result(result);
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
      int result;
      do {
        result =
            (int)
                SocketLib.SENDMMSG.invokeExact(
                    state, fd, headers, count, flags | ALWAYS, batch.memory(), batch.scratch());
      } while (result < 0 && again());
      return (int) result(result);
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
      int result;
      do {
        result =
            (int)
                SocketLib.RECVMMSG.invokeExact(
                    state,
                    fd,
                    headers,
                    count,
                    flags | MSG_DONTWAIT,
                    0L,
                    batch.memory(),
                    batch.scratch());
      } while (result < 0 && again());
      return (int) result(result);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private long send(int fd, long header, MemorySegment headers, MemorySegment data, int flags) {
    try {
      long result;
      do {
        result =
            (long) SocketLib.SENDMSG.invokeExact(state, fd, header, flags | ALWAYS, headers, data);
      } while (result < 0 && again());
      return result(result);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private long receive(int fd, long header, MemorySegment headers, MemorySegment into, int flags) {
    try {
      long result;
      do {
        result =
            (long)
                SocketLib.RECVMSG.invokeExact(
                    state, fd, header, flags | MSG_DONTWAIT, headers, into);
      } while (result < 0 && again());
      return result(result);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private boolean again() {
    return LibC.errno(state) == Errno.EINTR;
  }

  private long result(long result) {
    return result >= 0 ? result : -LibC.errno(state);
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
