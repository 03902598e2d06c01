package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;

/**
 * The calls of {@link SocketIo} with their exact errno, for results that are not certain without
 * it. Interrupted calls are repeated. One thread at a time an object.
 */
final class CheckedSocketIo {
  private final MemorySegment state = SocketLib.state();

  long send(int fd, long address, long length, int flags, MemorySegment data) throws Throwable {
    long result;
    do {
      result = (long) SocketLib.SEND_CHECKED.invokeExact(state, fd, address, length, flags, data);
    } while (result < 0 && again());
    return result(result);
  }

  long receive(int fd, long address, long length, int flags, MemorySegment into) throws Throwable {
    long result;
    do {
      result = (long) SocketLib.RECV_CHECKED.invokeExact(state, fd, address, length, flags, into);
    } while (result < 0 && again());
    return result(result);
  }

  long sendTo(int fd, long address, long length, int flags, SockAddr to, MemorySegment data)
      throws Throwable {
    long result;
    do {
      result =
          (long)
              SocketLib.SENDTO_CHECKED.invokeExact(
                  state, fd, address, length, flags, to.memory(), to.length(), data);
    } while (result < 0 && again());
    return result(result);
  }

  long receiveFrom(int fd, long address, long length, int flags, SockAddr from, MemorySegment into)
      throws Throwable {
    long result;
    do {
      from.beginReceive();
      result =
          (long)
              SocketLib.RECVFROM_CHECKED.invokeExact(
                  state, fd, address, length, flags, from.memory(), from.lengthCell(), into);
    } while (result < 0 && again());
    return result(result);
  }

  long send(int fd, long header, int flags, MemorySegment headers, MemorySegment data)
      throws Throwable {
    long result;
    do {
      result =
          (long) SocketLib.SENDMSG_CHECKED.invokeExact(state, fd, header, flags, headers, data);
    } while (result < 0 && again());
    return result(result);
  }

  long receive(int fd, long header, int flags, MemorySegment headers, MemorySegment into)
      throws Throwable {
    long result;
    do {
      result =
          (long) SocketLib.RECVMSG_CHECKED.invokeExact(state, fd, header, flags, headers, into);
    } while (result < 0 && again());
    return result(result);
  }

  int sendMany(int fd, long headers, int count, int flags, MessageBatch batch) throws Throwable {
    int result;
    do {
      result =
          (int)
              SocketLib.SENDMMSG_CHECKED.invokeExact(
                  state, fd, headers, count, flags, batch.memory(), batch.scratch());
    } while (result < 0 && again());
    return (int) result(result);
  }

  int receiveMany(int fd, long headers, int count, int flags, MessageBatch batch) throws Throwable {
    int result;
    do {
      result =
          (int)
              SocketLib.RECVMMSG_CHECKED.invokeExact(
                  state, fd, headers, count, flags, 0L, batch.memory(), batch.scratch());
    } while (result < 0 && again());
    return (int) result(result);
  }

  private boolean again() {
    return LibC.errno(state) == Errno.EINTR;
  }

  private long result(long result) {
    return result >= 0 ? result : -LibC.errno(state);
  }
}
