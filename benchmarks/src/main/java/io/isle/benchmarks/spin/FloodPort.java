package io.isle.benchmarks.spin;

import io.isle.api.base.Errno;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * A port that always has packets: as many for the first tenant's port of UDP as for the second's.
 * What is sent is lost.
 */
final class FloodPort implements OpenPort {
  /** Ports of UDP, one for each tenant. */
  static final int[] TENANTS = {9001, 9002};

  /** Of a packet. */
  private static final int BYTES = 64;

  /** More than handlers can take, and few enough for the ends of tasks to be seen soon. */
  private static final int AT_ONCE = 4;

  private final String address;
  private final int mtu;
  private final MemorySegment packets = Arena.ofAuto().allocate(BYTES * TENANTS.length);
  private final MemorySegment sent;
  private final LongAdder received = new LongAdder();
  private volatile boolean closed;

  FloodPort(String address, int mtu) {
    this.address = address;
    this.mtu = mtu;
    sent = Arena.ofAuto().allocate(mtu);
    for (int i = 0; i < TENANTS.length; i++) {
      MemorySegment.copy(packet(TENANTS[i]), 0, packets, ValueLayout.JAVA_BYTE, BYTES * i, BYTES);
    }
  }

  private static byte[] packet(int port) {
    ByteBuffer fields = ByteBuffer.allocate(BYTES);
    fields.putShort(12, (short) 0x0800).put(14, (byte) 0x45).put(23, (byte) 17);
    fields.putShort(36, (short) port);
    return fields.array();
  }

  @Override
  public int poll(Handler handler, int limit) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    int count = Math.min(limit, AT_ONCE);
    for (int i = 0; i < count; i++) {
      handler.frame(packets, i % TENANTS.length * BYTES, BYTES, 0);
    }
    received.add(count);
    return count;
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    throw new UnsupportedOperationException("an interface copies");
  }

  @Override
  public long overruns() {
    return 0;
  }

  @Override
  public MemorySegment memory() {
    return sent;
  }

  @Override
  public int mtu() {
    return mtu;
  }

  @Override
  public long claim(int length) {
    return closed ? -Errno.ECLOSED : length > mtu ? -Errno.EMSGSIZE : 0;
  }

  @Override
  public int publish(int length, long signature) {
    return closed ? -Errno.ECLOSED : 0;
  }

  @Override
  public int flush() {
    return closed ? -Errno.ECLOSED : 0;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public int descriptor() {
    return -1;
  }

  @Override
  public String failure() {
    return "";
  }

  @Override
  public PortCounters counters() {
    return new PortCounters(received.sum(), 0, 0, 0);
  }

  @Override
  public void close() {
    closed = true;
  }
}
