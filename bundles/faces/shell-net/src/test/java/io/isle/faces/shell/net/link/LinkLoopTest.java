package io.isle.faces.shell.net.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.faces.shell.net.link.LinkResult.End;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.Fctl;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.LinkWriter;
import io.isle.lib.tango.Mcache;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops under a simulated clock. The first number is the last but one before the numbers wrap. */
@Timeout(20)
class LinkLoopTest {
  private static final int DEPTH = 128;
  private static final int MTU = 200;
  private static final long SEQ0 = -2;
  private static final long FOREVER = Long.MAX_VALUE;

  private final Mcache mcache = Mcache.create(memory(Mcache.footprint(DEPTH, 0)), DEPTH, 0, SEQ0);
  private final long bytes = Dcache.dataBytes(MTU, DEPTH, 1);
  private final MemorySegment data = memory(bytes);
  private final Chunks chunks = Chunks.of(data, 0, bytes, MTU);
  private final Fseq fseq = Fseq.create(memory(Fseq.BYTES), SEQ0);
  private final FakePace pace = new FakePace();

  private static MemorySegment memory(long bytes) {
    return Arena.ofAuto().allocate(bytes, 4096);
  }

  private LinkResult produce(long count, Fctl credits, double rate, long timeoutNs) {
    LinkWriter writer = new LinkWriter(mcache, chunks);
    return new ProduceLoop(writer, credits, pace, count, 100, rate, timeoutNs, counts -> {}).run();
  }

  private Fctl credits() {
    return new Fctl(
        List.of(new Fctl.Consumer(fseq, DEPTH)),
        Fctl.Limits.USUAL,
        new LinkWriter(mcache, chunks).seq());
  }

  private LinkResult consume(long from, long count, long delayNs, long timeoutNs) {
    LinkReader reader = new LinkReader(mcache, from);
    return new ConsumeLoop(reader, chunks, fseq, pace, count, delayNs, timeoutNs, counts -> {})
        .run();
  }

  @Test
  void whatIsPublishedIsTaken() {
    LinkResult produced = produce(100, null, 0, FOREVER);
    assertEquals(new LinkResult(End.DONE, SEQ0, 98, 100, 0, 0, 0, 0, 0, 0), produced);
    assertEquals(98, mcache.produced());
    LinkResult consumed = consume(SEQ0, 100, 0, FOREVER);
    assertEquals(new LinkResult(End.DONE, SEQ0, 98, 100, 0, 0, 0, 0, 0, 0), consumed);
    assertEquals(98, fseq.seq());
  }

  /** The signature is repeated up to the next 128 bytes, and no further. */
  @Test
  void thePayloadIsTheNumber() {
    produce(3, null, 0, FOREVER);
    Frag frag = new Frag();
    assertEquals(0, mcache.read(0, frag));
    assertEquals(100, frag.size());
    assertEquals(3, frag.ctl());
    assertEquals(0, frag.sig());
    assertEquals(0, mcache.read(-1, frag));
    for (long at = 0; at < 128; at++) {
      assertEquals(-1, data.get(ValueLayout.JAVA_BYTE, 128 + at));
    }
  }

  @Test
  void fragmentsHaveTheWantedRate() {
    LinkResult result = produce(1001, null, 1000, FOREVER);
    assertEquals(1_000_000_000, result.elapsedNs());
    assertEquals(1001, result.count());
  }

  /** Exactly as many as there are lines. */
  @Test
  void aReliableProducerWaitsForAConsumerThatStands() {
    LinkResult result = produce(1000, credits(), 0, 5000);
    assertEquals(End.TIMEOUT, result.end());
    assertEquals(DEPTH, result.count());
    assertEquals(1, result.backpressured());
    assertEquals(5000, result.elapsedNs());
    assertEquals(SEQ0 + DEPTH, mcache.produced());
  }

  @Test
  void aReliableProducerGoesOnWithItsConsumer() {
    LinkReader reader = new LinkReader(mcache, SEQ0);
    pace.meanwhile(
        () -> {
          if (reader.poll() == 0) {
            assertEquals(0, reader.take());
            fseq.seq(reader.seq());
          }
        });
    LinkResult result = produce(1000, credits(), 0, FOREVER);
    assertEquals(End.DONE, result.end());
    assertEquals(1000, result.count());
    assertTrue(result.backpressured() > 1);
    assertEquals(0, reader.lost());
  }

  @Test
  void aConsumerWaitsUntilItsTimeIsOver() {
    produce(5, null, 0, FOREVER);
    LinkResult result = consume(SEQ0, 6, 0, 700);
    assertEquals(new LinkResult(End.TIMEOUT, SEQ0, 3, 5, 0, 0, 0, 0, 0, 700), result);
  }

  @Test
  void anInterruptEndsLoopsWithTheirCounts() {
    pace.interrupt();
    LinkResult produced = produce(1000, null, 0, FOREVER);
    assertEquals(End.INTERRUPTED, produced.end());
    assertEquals(256, produced.count());
    assertEquals(End.INTERRUPTED, consume(-100, 1000, 0, FOREVER).end());
  }

  @Test
  void fragmentsThatAreNotAsPublishedAreCorrupt() {
    produce(6, null, 0, FOREVER);
    LinkWriter writer = new LinkWriter(mcache, chunks);
    // the last byte of a slot, of fragment -1
    data.set(ValueLayout.JAVA_BYTE, 128 + 127, (byte) 0);
    writer.publish(77, 0, Frag.WHOLE, 0, 0);
    writer.publish(writer.seq(), 0, Frag.SOM, 0, 0);
    mcache.publish(6, 6, chunks.chunk1(), 1, Frag.WHOLE, 0, 0);
    mcache.publish(7, 7, 0xffff_ffffL, 65_535, Frag.WHOLE, 0, 0);
    mcache.publish(8, 8, 0, 0, Frag.WHOLE, 0, 0);
    LinkResult result = consume(SEQ0, 11, 0, FOREVER);
    assertEquals(new LinkResult(End.DONE, SEQ0, 9, 11, 0, 0, 0, 5, 0, 0), result);
  }

  @Test
  void aConsumerThatIsLateCountsWhatItLost() {
    produce(1000, null, 0, FOREVER);
    LinkResult result = consume(SEQ0, 10, 0, 5000);
    assertEquals(1, result.overrunsPolling());
    assertEquals(0, result.overrunsReading());
    assertEquals(result.nextSeq() - SEQ0, result.count() + result.lost());
    assertEquals(0, result.corrupt());
    assertEquals(0, pace.longestIdle());
  }

  /** The producer overwrites the fragment that the consumer works on, and a later one. */
  @Test
  void aFragmentThatIsOverwrittenDuringTheWorkOnItIsLost() {
    produce(100, null, 0, FOREVER);
    FakePace other = new FakePace();
    boolean[] done = {false};
    pace.meanwhile(
        () -> {
          if (!done[0]) {
            done[0] = true;
            LinkWriter writer = new LinkWriter(mcache, chunks);
            new ProduceLoop(writer, null, other, 200, 100, 0, FOREVER, counts -> {}).run();
          }
        });
    LinkResult result = consume(SEQ0, 40, 1000, FOREVER);
    assertEquals(1, result.overrunsReading());
    assertEquals(40, result.count());
    assertEquals(0, result.corrupt());
    assertTrue(result.lost() > 0);
    assertEquals(41 * 1000, result.elapsedNs());
  }

  @Test
  void workOnAFragmentIsNotLongerThanTheTimeout() {
    produce(10, null, 0, FOREVER);
    LinkResult result = consume(SEQ0, 10, 60_000_000_000L, 1000);
    assertEquals(End.TIMEOUT, result.end());
    assertEquals(1000, result.elapsedNs());
  }
}
