package io.isle.faces.shell.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingNodeInfo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The endpoint of a ring of one: what is sent goes through {@link Ring}, which decides on what
 * comes back. Thread-safe.
 */
public final class FakeEndpoint extends UnusedCalls {
  private static final int HEADER = 8;

  /** What the other nodes do. */
  @FunctionalInterface
  public interface Ring {
    /**
     * @param back receives what {@link #recvPrev} gives: packets as byte[], a {@link RingLoss}, or
     *     a negated code as Integer
     */
    void pass(byte[] packet, Consumer<Object> back);
  }

  /** A ring with a tail: replies have each byte of the payload plus one. */
  public static final Ring PLUS_ONE =
      (packet, back) -> {
        if (flags(packet) == 1) {
          back.accept(plusOne(packet));
        }
      };

  private final RingNodeInfo info;
  private final Deque<Object> arrived = new ArrayDeque<>();
  private final List<byte[]> sent = new ArrayList<>();
  private Ring ring = PLUS_ONE;
  private int mostOut;
  private int out;
  private boolean full;
  private int sendCode;
  private Optional<RingLoss> loss = Optional.empty();
  private boolean closed;

  public FakeEndpoint(RingNodeInfo info) {
    this.info = info;
  }

  public static int position(byte[] packet) {
    return ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
  }

  public static int flags(byte[] packet) {
    return ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  public static byte[] plusOne(byte[] packet) {
    byte[] reply = packet.clone();
    for (int i = HEADER; i < reply.length; i++) {
      reply[i]++;
    }
    return reply;
  }

  /** Another ring, from now on. */
  public synchronized FakeEndpoint with(Ring other) {
    ring = other;
    return this;
  }

  /** Something arrives from the previous node. */
  public synchronized void arrive(Object what) {
    arrived.add(what);
    notifyAll();
  }

  /** The next node takes nothing. */
  public synchronized void full(boolean now) {
    full = now;
    notifyAll();
  }

  /** The next send returns this code; a packet is not sent. */
  public synchronized void failSend(int code) {
    sendCode = code;
  }

  public synchronized List<byte[]> sent() {
    return List.copyOf(sent);
  }

  /** Most packets at a time that had been sent and not received. */
  public synchronized int mostOut() {
    return mostOut;
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public String node() {
    return info.name();
  }

  @Override
  public int packetBytes() {
    return info.packetBytes();
  }

  @Override
  public RingNodeInfo info() {
    return info;
  }

  @Override
  public long sendNext(MemorySegment packet, long offset, long length, long timeoutNs) {
    return sendNext(packet, 0, packet, offset, length, timeoutNs);
  }

  @Override
  public synchronized long sendNext(
      MemorySegment header,
      long headerLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs) {
    if (!header.isNative() || !data.isNative()) {
      return -Errno.EINVAL;
    }
    if (headerLength + length != packetBytes()) {
      return -Errno.EMSGSIZE;
    }
    if (sendCode != 0) {
      int code = sendCode;
      sendCode = 0;
      return code;
    }
    long code = await(() -> !full, timeoutNs);
    if (code < 0) {
      return code;
    }
    byte[] packet = new byte[packetBytes()];
    MemorySegment.copy(header, ValueLayout.JAVA_BYTE, 0, packet, 0, (int) headerLength);
    MemorySegment.copy(
        data, ValueLayout.JAVA_BYTE, offset, packet, (int) headerLength, (int) length);
    sent.add(packet);
    if (flags(packet) == 1) {
      out++;
      mostOut = Math.max(mostOut, out);
    }
    ring.pass(packet, this::arrive);
    return packetBytes();
  }

  /** Called with the monitor held. */
  private long await(java.util.function.BooleanSupplier condition, long timeoutNs) {
    long end = System.nanoTime() + timeoutNs;
    while (!condition.getAsBoolean() && !closed) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return timeoutNs == 0 ? -Errno.EAGAIN : -Errno.ETIME;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return -Errno.ECANCELED;
      }
    }
    return closed ? -Errno.ECLOSED : 0;
  }

  @Override
  public synchronized long recvPrev(MemorySegment into, long offset, long length, long timeoutNs) {
    if (!into.isNative()) {
      return -Errno.EINVAL;
    }
    if (length != packetBytes()) {
      return -Errno.EMSGSIZE;
    }
    if (Thread.currentThread().isInterrupted()) {
      return -Errno.ECANCELED;
    }
    long code = await(() -> !arrived.isEmpty(), timeoutNs);
    if (code < 0) {
      return code;
    }
    Object next = arrived.remove();
    out--;
    if (next instanceof RingLoss lost) {
      loss = Optional.of(lost);
      return -Errno.ENODATA;
    }
    if (next instanceof Integer negated) {
      return negated;
    }
    byte[] packet = (byte[]) next;
    MemorySegment.copy(packet, 0, into, ValueLayout.JAVA_BYTE, offset, packet.length);
    return packet.length;
  }

  @Override
  public List<LayerRange> resize(List<Integer> boundaries) {
    List<LayerRange> ranges = new ArrayList<>();
    for (int i = 0; i < boundaries.size(); i++) {
      boolean last = i == boundaries.size() - 1;
      int end = last ? info.layers() : boundaries.get(i + 1);
      ranges.add(new LayerRange(boundaries.get(i), end, last));
    }
    return ranges;
  }

  @Override
  public synchronized Optional<RingLoss> lastLoss() {
    return loss;
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
