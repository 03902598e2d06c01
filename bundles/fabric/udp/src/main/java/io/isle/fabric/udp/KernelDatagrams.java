package io.isle.fabric.udp;

import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.MessageIo;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import java.lang.foreign.MemorySegment;

/** The calls of this machine's kernel. */
final class KernelDatagrams implements Datagrams {
  private final SocketIo io = new SocketIo();
  private final MessageIo messages = new MessageIo();
  private final SocketOptions options = new SocketOptions();

  @Override
  public long send(int descriptor, MemorySegment data, long offset, long length, SockAddr to) {
    return io.sendTo(descriptor, data, offset, length, 0, to);
  }

  @Override
  public long sendCut(int descriptor, MessageBatch batch) {
    return messages.send(descriptor, batch, 0, 0);
  }

  @Override
  public int sendMany(int descriptor, MessageBatch batch, int count) {
    return messages.sendMany(descriptor, batch, 0, count, 0);
  }

  @Override
  public long receiveOne(
      int descriptor, MemorySegment into, long offset, long length, SockAddr source) {
    return io.receiveFrom(descriptor, into, offset, length, 0, source);
  }

  @Override
  public long receive(int descriptor, MessageBatch batch) {
    return messages.receive(descriptor, batch, 0, 0);
  }

  @Override
  public int receiveMany(int descriptor, MessageBatch batch, int count) {
    return messages.receiveMany(descriptor, batch, 0, count, 0);
  }

  @Override
  public long receiveError(int descriptor, MessageBatch batch) {
    return messages.receive(descriptor, batch, 0, SocketIo.MSG_ERRQUEUE);
  }

  @Override
  public int set(int descriptor, SocketOption option, int value) {
    return options.set(descriptor, option, value);
  }

  @Override
  public int get(int descriptor, SocketOption option) {
    return options.get(descriptor, option);
  }
}
