package io.isle.fabric.udp;

import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketOption;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/** The kernel of this machine, but for failures that a test asks for. */
final class FakeDatagrams implements Datagrams {
  /** Codes of the next calls to send, in order; 0 sends. */
  final Deque<Integer> sends = new ArrayDeque<>();

  /** Codes of the next calls to receive, in order; 0 receives. */
  final Deque<Integer> receives = new ArrayDeque<>();

  /** Codes of changes of options. */
  final Map<SocketOption, Integer> refused = new EnumMap<>(SocketOption.class);

  /** Values of options that differ from those of the kernel. */
  final Map<SocketOption, Integer> values = new EnumMap<>(SocketOption.class);

  int cutSends;
  int singleReads;
  int batches;
  private final Datagrams kernel = new KernelDatagrams();

  private static int next(Deque<Integer> codes) {
    return codes.isEmpty() ? 0 : codes.removeFirst();
  }

  @Override
  public long send(int descriptor, MemorySegment data, long offset, long length, SockAddr to) {
    int code = next(sends);
    if (code != 0) {
      return code;
    }
    return kernel.send(descriptor, data, offset, length, to);
  }

  @Override
  public long sendCut(int descriptor, MessageBatch batch) {
    int code = next(sends);
    if (code != 0) {
      return code;
    }
    cutSends++;
    return kernel.sendCut(descriptor, batch);
  }

  @Override
  public int sendMany(int descriptor, MessageBatch batch, int count) {
    int code = next(sends);
    batches++;
    // a positive code is the number of datagrams that the kernel takes
    return code < 0 ? code : kernel.sendMany(descriptor, batch, code > 0 ? code : count);
  }

  @Override
  public long receiveOne(
      int descriptor, MemorySegment into, long offset, long length, SockAddr source) {
    int code = next(receives);
    singleReads++;
    return code != 0 ? code : kernel.receiveOne(descriptor, into, offset, length, source);
  }

  @Override
  public long receive(int descriptor, MessageBatch batch) {
    int code = next(receives);
    return code != 0 ? code : kernel.receive(descriptor, batch);
  }

  @Override
  public int receiveMany(int descriptor, MessageBatch batch, int count) {
    int code = next(receives);
    return code != 0 ? code : kernel.receiveMany(descriptor, batch, count);
  }

  @Override
  public long receiveError(int descriptor, MessageBatch batch) {
    return kernel.receiveError(descriptor, batch);
  }

  @Override
  public int set(int descriptor, SocketOption option, int value) {
    Integer code = refused.get(option);
    return code != null ? code : kernel.set(descriptor, option, value);
  }

  @Override
  public int get(int descriptor, SocketOption option) {
    Integer value = values.get(option);
    return value != null ? value : kernel.get(descriptor, option);
  }
}
