package io.isle.spin.nic.engine;

import io.isle.api.base.Errno;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A port whose other end is a test. */
public final class MemoryPort implements OpenPort {
  public final ConcurrentLinkedQueue<byte[]> arriving = new ConcurrentLinkedQueue<>();
  public final ConcurrentLinkedQueue<byte[]> left = new ConcurrentLinkedQueue<>();
  private final List<byte[]> published = new ArrayList<>();
  private final MemorySegment memory = MemorySegment.ofArray(new byte[2048]);
  int room = Integer.MAX_VALUE;
  public volatile String failure = "";
  public volatile boolean closed;
  int descriptor = -1;
  PortCounters counters = new PortCounters(0, 0, 0, 0);

  /** Whether the next poll fails as no port may. */
  public volatile boolean defect;

  @Override
  public String address() {
    return "memory:test";
  }

  @Override
  public int descriptor() {
    return descriptor;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public PortCounters counters() {
    return counters;
  }

  private boolean isOver() {
    return closed || !failure.isEmpty();
  }

  @Override
  public int poll(Handler handler, int limit) {
    if (defect) {
      throw new IllegalStateException("a defect of the port");
    }
    if (isOver()) {
      return -Errno.ECLOSED;
    }
    int count = 0;
    for (byte[] frame; count < limit && (frame = arriving.poll()) != null; count++) {
      handler.frame(MemorySegment.ofArray(frame), 0, frame.length, 0);
    }
    return count;
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    throw new UnsupportedOperationException();
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
    return 1536;
  }

  @Override
  public long claim(int length) {
    return isOver() ? -Errno.ECLOSED : room <= 0 ? -Errno.EAGAIN : 64;
  }

  @Override
  public int publish(int length, long signature) {
    room--;
    published.add(memory.asSlice(64, length).toArray(ValueLayout.JAVA_BYTE));
    return 0;
  }

  @Override
  public int flush() {
    left.addAll(published);
    published.clear();
    return isOver() ? -Errno.ECLOSED : 0;
  }

  @Override
  public void close() {
    closed = true;
  }
}
