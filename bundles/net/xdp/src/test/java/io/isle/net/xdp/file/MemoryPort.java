package io.isle.net.xdp.file;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A port on lists of frames, for tests. */
final class MemoryPort implements FramePort {
  private final ArrayDeque<byte[]> arriving;
  private final List<byte[]> sent = new ArrayList<>();
  private final MemorySegment memory;
  private int claimed;
  private boolean closed;

  MemoryPort(List<byte[]> arriving, int mtu) {
    this.arriving = new ArrayDeque<>(arriving);
    this.memory = MemorySegment.ofArray(new byte[mtu]);
  }

  List<byte[]> sent() {
    return sent;
  }

  @Override
  public int poll(Handler handler, int limit) {
    int count = 0;
    while (!closed && count < limit && !arriving.isEmpty()) {
      byte[] frame = arriving.remove();
      handler.frame(MemorySegment.ofArray(frame), 0, frame.length, 0);
      count++;
    }
    return closed && count == 0 ? -Errno.ECLOSED : count;
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    return poll(
        (frame, offset, length, signature) -> {
          handler.frame(frame, offset, length, signature);
          handler.valid();
        },
        limit);
  }

  @Override
  public long overruns() {
    return 0;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public int mtu() {
    return (int) memory.byteSize();
  }

  @Override
  public long claim(int length) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (length < 14 || length > mtu()) {
      return -Errno.EMSGSIZE;
    }
    claimed = length;
    return 0;
  }

  @Override
  public int publish(int length, long signature) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    if (length < 14 || length > claimed) {
      return -Errno.EINVAL;
    }
    claimed = 0;
    sent.add(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    return 0;
  }

  @Override
  public int flush() {
    return closed ? -Errno.ECLOSED : 0;
  }

  @Override
  public void close() {
    closed = true;
  }
}
