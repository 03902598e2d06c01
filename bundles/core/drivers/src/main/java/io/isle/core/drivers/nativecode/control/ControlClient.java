package io.isle.core.drivers.nativecode.control;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.WireStructs;
import io.isle.lib.shm.ChannelLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Makes control calls over a lane, bounded, and turns refusals into exceptions. Thread-safe. */
public final class ControlClient {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  public static final long BOUND_NS = 5_000_000_000L;
  private static final long IDLE_BOUND_NS = 1_000_000_000L;
  public static final long BUILD_BOUND_NS = 60_000_000_000L;

  private final Lane lane;
  private final ReentrantLock oneAtATime = new ReentrantLock();

  /**
   * The request of the call in progress; any thread of the lane's may read it. On the heap: opening
   * a device must not need what tenants can use up.
   */
  private final MemorySegment message =
      MemorySegment.ofArray(new long[ChannelLayout.CONTROL_BYTES / Long.BYTES]);

  public ControlClient(Lane lane) {
    this.lane = lane;
  }

  /** A response: its result code and body. */
  public record Reply(int result, MemorySegment body) {
    /**
     * The body as a structure of exactly this kind at its start.
     *
     * @throws DriverException EPROTO when it is too short
     */
    public MemorySegment as(CStruct type, ControlOp op) {
      if (body.byteSize() < type.size()) {
        throw new DriverException(
            Errno.EPROTO,
            op + ": the driver host answered " + body.byteSize() + " bytes, not " + type.size());
      }
      return body;
    }

    /** The body's first word. */
    public int u32(ControlOp op) {
      return u32(op, 0);
    }

    /**
     * A word of the body.
     *
     * @throws DriverException EPROTO when the body is too short for it
     */
    public int u32(ControlOp op, long offset) {
      return room(op, offset, 4).get(U32, offset);
    }

    /** The body's first double word. */
    public long u64(ControlOp op) {
      return room(op, 0, 8).get(U64, 0);
    }

    private MemorySegment room(ControlOp op, long offset, int bytes) {
      if (body.byteSize() < offset + bytes) {
        throw new DriverException(
            Errno.EPROTO, op + ": the driver host answered " + body.byteSize() + " bytes only");
      }
      return body;
    }
  }

  /** Calls and expects success. */
  public Reply call(ControlOp op, MemorySegment body) {
    Reply reply = exchange(op, body, BOUND_NS);
    if (reply.result < 0) {
      throw refused(op, reply.result, text(reply.body));
    }
    return reply;
  }

  /** What the driver side says about a refusal, in place of a result. */
  static String text(MemorySegment body) {
    byte[] bytes = body.asSlice(0, Math.min(body.byteSize(), 512)).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8)
        .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ")
        .strip();
  }

  public Reply call(ControlOp op) {
    return call(op, MemorySegment.ofArray(new byte[0]));
  }

  public Reply call(ControlOp op, long argument) {
    return call(op, bytes(8).setLong(argument).segment());
  }

  public Reply call(ControlOp op, int argument) {
    return call(op, bytes(4).setInt(argument).segment());
  }

  public static DriverException refused(ControlOp op, int result, String detail) {
    String what = op.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    return new DriverException(
        -result,
        "the driver refused '"
            + what
            + "': "
            + Errno.name(result)
            + (detail.isEmpty() ? "" : ": " + detail));
  }

  /**
   * Calls and returns the reply whatever its result.
   *
   * @throws DriverException ENODEV when the peer is gone; ETIMEDOUT when it did not answer, which
   *     ends it; EPROTO when its answer is not one, which ends it too
   */
  public Reply exchange(ControlOp op, MemorySegment body, long boundNs) {
    long head = WireStructs.CONTROL_REQUEST.size();
    if (head + body.byteSize() > ChannelLayout.CONTROL_BYTES) {
      throw new DriverException(
          Errno.EMSGSIZE,
          op
              + " takes "
              + body.byteSize()
              + " bytes; the limit is "
              + (ChannelLayout.CONTROL_BYTES - head));
    }
    oneAtATime.lock();
    try {
      if (!lane.alive()) {
        throw new DriverException(Errno.ENODEV, lane.cause().text());
      }
      MemorySegment request = message.asSlice(0, head + body.byteSize()).fill((byte) 0);
      long seq = lane.nextSeq();
      WireStructs.CONTROL_REQUEST.set(request, "seq", seq);
      WireStructs.CONTROL_REQUEST.set(request, "op", op.code());
      WireStructs.CONTROL_REQUEST.set(request, "length", body.byteSize());
      MemorySegment.copy(body, 0, request, head, body.byteSize());
      byte[] response = lane.control(request, boundNs);
      return reply(op, seq, response);
    } finally {
      oneAtATime.unlock();
    }
  }

  /** Waits until no call uses the lane: one that waits for a peer that is gone ends soon. */
  public void awaitIdle() {
    boolean interrupted = false;
    boolean idle = false;
    long deadline = System.nanoTime() + IDLE_BOUND_NS;
    while (!idle && deadline - System.nanoTime() > 0) {
      try {
        idle = oneAtATime.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (idle) {
      oneAtATime.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Reply reply(ControlOp op, long seq, byte[] response) {
    if (response.length == 0) {
      boolean hung = lane.alive();
      if (hung) {
        lane.abandon(
            new RecoveryCause(
                RecoveryCause.Kind.HANG, "the driver did not answer '" + op + "' in time"));
      }
      throw new DriverException(hung ? Errno.ETIMEDOUT : Errno.ENODEV, lane.cause().text());
    }
    CStruct header = WireStructs.CONTROL_RESPONSE;
    MemorySegment all = MemorySegment.ofArray(response);
    if (response.length < header.size()
        || header.get(all, "seq") != seq
        || header.get(all, "length") != response.length - header.size()) {
      lane.abandon(
          new RecoveryCause(
              RecoveryCause.Kind.PROTOCOL,
              "the driver host broke the protocol in its answer to '" + op + "'"));
      throw new DriverException(Errno.EPROTO, lane.cause().text());
    }
    return new Reply(header.getInt(all, "result"), all.asSlice(header.size()));
  }

  private static Argument bytes(int size) {
    return new Argument(ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN));
  }

  private record Argument(ByteBuffer buffer) {
    Argument setLong(long value) {
      buffer.putLong(0, value);
      return this;
    }

    Argument setInt(int value) {
      buffer.putInt(0, value);
      return this;
    }

    MemorySegment segment() {
      return MemorySegment.ofBuffer(buffer);
    }
  }
}
