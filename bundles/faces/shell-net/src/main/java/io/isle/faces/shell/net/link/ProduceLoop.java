package io.isle.faces.shell.net.link;

import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Fctl;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.LinkWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Publishes fragments of one size, whose signature is their number, and whose payload is the
 * signature, repeated up to the next 128 bytes.
 */
final class ProduceLoop extends LinkLoop {
  static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final LinkWriter writer;
  private final Fctl credits;
  private final int size;
  private final double everyNs;
  private final long firstSeq;
  private long backpressured;
  private boolean waiting;

  /**
   * @param credits null for a producer that obeys no consumer
   * @param rate fragments a second; 0 for as many as possible
   */
  ProduceLoop(
      LinkWriter writer,
      Fctl credits,
      Pace pace,
      long wanted,
      int size,
      double rate,
      long timeoutNs,
      Consumer<Supplier<LinkResult>> watcher) {
    super(pace, wanted, timeoutNs, watcher);
    this.writer = writer;
    this.credits = credits;
    this.size = size;
    this.everyNs = rate == 0 ? 0 : 1e9 / rate;
    this.firstSeq = writer.seq();
  }

  @Override
  boolean isPaced() {
    return everyNs != 0;
  }

  @Override
  Step step() {
    if (everyNs != 0) {
      long due = (long) (count() * everyNs);
      if (elapsedNs() < due) {
        // before a sleep
        writer.settle();
        until(due);
        if (elapsedNs() < due) {
          return Step.AGAIN;
        }
      }
    }
    if (credits != null && !spent()) {
      return Step.WAIT;
    }
    long seq = writer.seq();
    MemorySegment memory = writer.memory();
    long at = writer.offset();
    long bytes = Chunks.slot(size);
    for (long i = 0; i < bytes; i += Long.BYTES) {
      memory.set(WORD, at + i, seq);
    }
    writer.publish(seq, size, Frag.WHOLE, 0, 0);
    return Step.DONE;
  }

  private boolean spent() {
    if (credits.update(writer.seq()) < credits.burst()) {
      if (!waiting) {
        waiting = true;
        backpressured++;
        writer.settle();
      }
      return false;
    }
    waiting = false;
    credits.spend(1);
    return true;
  }

  @Override
  void settle() {
    writer.settle();
  }

  @Override
  LinkResult result(LinkResult.End end, long elapsedNs) {
    return new LinkResult(
        end, firstSeq, writer.seq(), count(), 0, 0, 0, 0, backpressured, elapsedNs);
  }
}
