package io.isle.lib.ffi;

import java.util.Objects;

/**
 * Sends and receives datagrams in batches, by the rules of {@link SocketIo}. Allocates nothing
 * after construction. One thread at a time an object; a descriptor has no such limit.
 */
public final class MessageIo {
  private final SocketIo io = new SocketIo();
  private final CheckedSocketIo checked = new CheckedSocketIo();

  /** Sends one message of a batch. */
  public long send(int fd, MessageBatch batch, int index, int flags) {
    long header = batch.header(index);
    batch.beginSend(index);
    long result = io.send(fd, header, batch.memory(), batch.scratch(), flags);
    batch.moved(index, Math.max(0, result));
    return result;
  }

  /** Receives one message of a batch. */
  public long receive(int fd, MessageBatch batch, int index, int flags) {
    SocketIo.requireWritable(batch.scratch());
    long header = batch.header(index);
    batch.beginReceive(index);
    long result = io.receive(fd, header, batch.memory(), batch.scratch(), flags);
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
      int all = flags | SocketIo.SENDING;
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
    SocketIo.requireWritable(batch.scratch());
    for (int i = first; i < first + count; i++) {
      batch.beginReceive(i);
    }
    long headers = batch.header(first);
    try {
      int all = flags | SocketIo.MSG_DONTWAIT;
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
}
