package io.isle.lib.shm;

import static io.isle.lib.shm.Words.INT;
import static io.isle.lib.shm.Words.LONG;
import static io.isle.lib.shm.Words.U32;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;

/**
 * Calls through the control areas of a channel: one request, then its response. One calling thread
 * at a time.
 */
public final class ControlCaller {
  private static final long SPIN_NS = 30_000;
  private static final long SLICE_NS = 5_000_000;

  private final MemorySegment channel;
  private final long requestBase;
  private final long responseBase;
  private final Doorbell controlBell;
  private final Doorbell replyBell;
  private long seq;

  ControlCaller(MemorySegment channel, long requestBase, long responseBase, Arena arena) {
    this.channel = channel;
    this.requestBase = requestBase;
    this.responseBase = responseBase;
    this.controlBell = new Doorbell(channel.asSlice(ChannelLayout.CONTROL_BELL, 8), arena);
    this.replyBell = new Doorbell(channel.asSlice(ChannelLayout.REPLY_BELL, 8), arena);
  }

  /** The sequence number for the header of the next request. */
  public long nextSeq() {
    return seq + 1;
  }

  /**
   * Sends a whole request and waits for its response.
   *
   * @param request at most {@link ChannelLayout#CONTROL_BYTES}, with {@link #nextSeq} in its header
   * @param alive polled during the wait; the wait ends when the value is false
   * @return a copy of the whole response, with unchecked contents; length 0 without a response in
   *     time or after the end of the peer
   * @throws IllegalArgumentException for a longer request
   */
  public byte[] call(MemorySegment request, long timeoutNs, BooleanSupplier alive) {
    if (request.byteSize() > ChannelLayout.CONTROL_BYTES) {
      throw new IllegalArgumentException(
          "a request has at most "
              + ChannelLayout.CONTROL_BYTES
              + " bytes, not "
              + request.byteSize());
    }
    MemorySegment.copy(request, 0, channel, requestBase, request.byteSize());
    seq++;
    channel.set(U32, ChannelLayout.CONTROL_LENGTH, (int) request.byteSize());
    LONG.setRelease(channel, ChannelLayout.CONTROL_SEQ, seq);
    controlBell.ring();
    long start = System.nanoTime();
    while (true) {
      int ticket = replyBell.ticket();
      long waited = System.nanoTime() - start;
      // asked before the look at the reply: a peer that ends right after its answer did answer
      boolean last = waited > timeoutNs || !alive.getAsBoolean();
      if ((long) LONG.getAcquire(channel, ChannelLayout.REPLY_SEQ) == seq) {
        return response();
      }
      if (last) {
        return new byte[0];
      }
      if (waited < SPIN_NS) {
        Thread.onSpinWait();
      } else {
        replyBell.await(ticket, SLICE_NS);
      }
    }
  }

  private byte[] response() {
    int length = (int) INT.getOpaque(channel, ChannelLayout.REPLY_LENGTH);
    if (length < 0 || length > ChannelLayout.CONTROL_BYTES) {
      return new byte[0];
    }
    return channel.asSlice(responseBase, length).toArray(ValueLayout.JAVA_BYTE);
  }
}
