package io.isle.fabric.jobs;

import io.isle.lib.drive.KeptPayloads;
import io.isle.lib.drive.Replies;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Replies to the payloads of a stream: compared with the results of the CPU, and written in the
 * order of their packets. A reply that comes before an earlier one waits in the memory of its
 * payload. Used by one thread; {@link #wrong} by any.
 */
final class OrderedReplies implements Replies {
  private final KeptPayloads kept;
  private final int places;
  private final int payloadBytes;
  private final LongSupplier bytes;
  private final Optional<OutputStream> out;
  private final byte[] buffer;

  /** Replies that wait, by their place. */
  private final BitSet waiting = new BitSet();

  private long next;
  private final AtomicLong wrong = new AtomicLong();
  private volatile Optional<Mix> mix;

  /**
   * @param kept payloads on their way
   * @param noReply number of packets without a requested reply, the first ones
   * @param bytes of the stream, see {@link StreamPayloads#bytes}
   * @param out receives the replies to the payloads of the stream, without padding
   * @param mix what the ring computes, if it is compared
   */
  OrderedReplies(
      KeptPayloads kept,
      int payloadBytes,
      long noReply,
      LongSupplier bytes,
      Optional<OutputStream> out,
      Optional<Mix> mix) {
    this.kept = kept;
    places = kept.places();
    this.payloadBytes = payloadBytes;
    this.bytes = bytes;
    this.out = out;
    this.mix = mix;
    buffer = new byte[payloadBytes];
    next = noReply;
  }

  /** Replies that differ from the results of the CPU. */
  long wrong() {
    return wrong.get();
  }

  /** What the ring computes from now on; called while no packet is on its way. */
  void compute(Mix other) {
    mix = mix.isEmpty() ? mix : Optional.of(other);
  }

  @Override
  public void reply(long index, MemorySegment packet, long offset) throws IOException {
    Optional<Mix> right = mix;
    if (right.isPresent()
        && !right.get().isOf(kept.memory(), kept.offset(index), packet, offset, payloadBytes)) {
      wrong.incrementAndGet();
    }
    if (index != next) {
      MemorySegment.copy(packet, offset, kept.memory(), kept.offset(index), payloadBytes);
      waiting.set((int) (index % places));
      return;
    }
    write(index, packet, offset);
    next++;
    while (waiting.get((int) (next % places))) {
      waiting.clear((int) (next % places));
      write(next, kept.memory(), kept.offset(next));
      next++;
    }
  }

  /** Only replies to the stream itself, without padding. */
  private void write(long index, MemorySegment from, long offset) throws IOException {
    int length =
        (int) Math.max(0, Math.min(payloadBytes, bytes.getAsLong() - index * payloadBytes));
    if (out.isPresent() && length > 0) {
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, buffer, 0, length);
      out.get().write(buffer, 0, length);
    }
  }
}
