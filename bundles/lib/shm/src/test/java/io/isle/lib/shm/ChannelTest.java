package io.isle.lib.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.ChannelLayout.Completion;
import io.isle.lib.shm.ChannelLayout.LogLine;
import io.isle.lib.shm.ChannelLayout.Request;
import io.isle.lib.shm.ChannelLayout.Started;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The core's side against a peer that this test plays, a hostile one too. */
class ChannelTest {
  private static final long SECOND = 1_000_000_000L;

  private static long slot(Channel channel, long offsetField, long position, int capacity) {
    return channel.memory().get(ValueLayout.JAVA_LONG, offsetField)
        + (position & (capacity - 1)) * ChannelLayout.SLOT_BYTES;
  }

  private static void complete(Channel channel, long position, long tag, int status) {
    int capacity = channel.memory().get(ValueLayout.JAVA_INT, ChannelLayout.COMPLETION_CAPACITY);
    long at = slot(channel, ChannelLayout.COMPLETION_OFFSET, position, capacity);
    channel.memory().set(ValueLayout.JAVA_LONG, at + Completion.TAG, tag);
    channel.memory().set(ValueLayout.JAVA_INT, at + Completion.STATUS, status);
    channel.memory().set(ValueLayout.JAVA_LONG, at + Completion.SEQ, position + 1);
  }

  @Test
  void completionsArriveInOrderOverManyLaps() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      List<Long> tags = new ArrayList<>();
      for (long i = 0; i < 1000; i++) {
        complete(channel, i, 7 * i, 0);
        assertEquals(1, channel.completions().drain(10, (tag, s, a, b, c, d) -> tags.add(tag)));
        assertEquals(7 * i, tags.removeFirst());
      }
      assertEquals(0, channel.completions().drain(10, (tag, s, a, b, c, d) -> tags.add(tag)));
    }
  }

  @Test
  void aWriterThatGoesRoundTheRingIsFoundOut() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      int capacity = channel.memory().get(ValueLayout.JAVA_INT, ChannelLayout.COMPLETION_CAPACITY);
      for (long i = 0; i < capacity; i++) {
        complete(channel, i, i, 0);
      }
      assertEquals(10, channel.completions().drain(10, (tag, s, a, b, c, d) -> {}));
      assertFalse(channel.completions().overrun());
      complete(channel, capacity + 10L, 1, 0);
      assertEquals(0, channel.completions().drain(10, (tag, s, a, b, c, d) -> {}));
      assertTrue(channel.completions().overrun());
    }
  }

  @Test
  void requestsFillTheRingAndNoMore() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      int capacity = channel.memory().get(ValueLayout.JAVA_INT, ChannelLayout.REQUEST_CAPACITY);
      for (int i = 0; i < capacity; i++) {
        assertTrue(channel.requests().offerSubmit(i, 1, 64L * i, 64, 0));
      }
      assertFalse(channel.requests().offerPreempt(1, 0));
      long first = slot(channel, ChannelLayout.REQUEST_OFFSET, 0, capacity);
      assertEquals(1, channel.memory().get(ValueLayout.JAVA_LONG, first + Request.SEQ));
      assertEquals(
          Request.SUBMIT, channel.memory().get(ValueLayout.JAVA_INT, first + Request.KIND));
      channel.memory().set(ValueLayout.JAVA_LONG, ChannelLayout.REQUESTS_TAKEN, 1);
      assertTrue(channel.requests().sane());
      assertTrue(channel.requests().offerPreempt(1, 2));
      assertFalse(channel.requests().offerPreempt(1, 2));
    }
  }

  @Test
  void aReaderThatClaimsTheFutureIsFoundOutAndGetsNoRoom() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      int capacity = channel.memory().get(ValueLayout.JAVA_INT, ChannelLayout.REQUEST_CAPACITY);
      for (int i = 0; i < capacity; i++) {
        assertTrue(channel.requests().offerSubmit(i, 1, 0, 64, 0));
      }
      channel.memory().set(ValueLayout.JAVA_LONG, ChannelLayout.REQUESTS_TAKEN, 1L << 40);
      assertFalse(channel.requests().sane());
      assertFalse(channel.requests().offerSubmit(0, 1, 0, 64, 0));
    }
  }

  @Test
  void aStartIsSeenUnderItsOwnTagOnly() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      long tag = 5L << 32 | 63;
      long at =
          channel.memory().get(ValueLayout.JAVA_LONG, ChannelLayout.STARTED_OFFSET)
              + 63L * ChannelLayout.STARTED_BYTES;
      assertEquals(0, channel.started().startNs(tag));
      channel.memory().set(ValueLayout.JAVA_LONG, at + Started.START_NS, 77);
      channel.memory().set(ValueLayout.JAVA_LONG, at + Started.TAG, tag);
      assertEquals(77, channel.started().startNs(tag));
      assertEquals(0, channel.started().startNs(6L << 32 | 63));
    }
  }

  /** As a host may write it: with a line end, beyond its length, or half. */
  @Test
  void linesOfADriverAreCopiedAndMadeFitToBeShown() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      MemorySegment memory = channel.memory();
      for (int n = 0; n < 6; n++) {
        long at = ChannelLayout.LOG + (n & 3) * (long) ChannelLayout.LOG_BYTES;
        memory.setString(at + LogLine.TEXT, "line " + n + "\n\u001b[31m");
        memory.set(ValueLayout.JAVA_LONG, at + LogLine.NS, 100L + n);
        memory.set(ValueLayout.JAVA_INT, at + LogLine.LEVEL, n & 1);
        memory.set(ValueLayout.JAVA_INT, at + LogLine.LENGTH, n == 4 ? -1 : 6);
        memory.set(ValueLayout.JAVA_LONG, at + LogLine.SEQ, 2L * n + 2);
      }
      memory.set(ValueLayout.JAVA_LONG, ChannelLayout.LOG_LINES, 7L);
      LogLines log = channel.log();
      assertEquals(7, log.next());
      assertEquals(
          List.of("3 103 false line 3", "4 104 true ", "5 105 false line 5"),
          log.since(0).stream()
              .map(line -> line.number() + " " + line.ns() + " " + line.error() + " " + line.text())
              .toList());
      assertEquals(5, log.newest(0, 200).orElseThrow().number());
      assertEquals(3, log.newest(0, 103).orElseThrow().number());
      assertTrue(log.newest(0, 102).isEmpty(), "overwritten");
      assertTrue(log.newest(106, 200).isEmpty());
      memory.set(ValueLayout.JAVA_INT, ChannelLayout.LOG + LogLine.LENGTH, Integer.MAX_VALUE);
      assertEquals(3, log.since(0).size());
      for (long lie : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
        memory.set(ValueLayout.JAVA_LONG, ChannelLayout.LOG_LINES, lie);
        assertEquals(List.of(), log.since(0), "lines: " + lie);
      }
    }
  }

  @Test
  void requestsArePendingUntilTaken() {
    try (Channel channel = Channel.create(64, 1, 0)) {
      assertFalse(channel.requests().pending());
      assertTrue(channel.requests().offerSubmit(1, 1, 0, 64, 0));
      assertTrue(channel.requests().pending());
      channel.memory().set(ValueLayout.JAVA_LONG, ChannelLayout.REQUESTS_TAKEN, 1);
      assertFalse(channel.requests().pending());
      channel.memory().set(ValueLayout.JAVA_LONG, ChannelLayout.HEARTBEAT, 3);
      assertEquals(3, channel.heartbeat());
    }
  }

  @Test
  void aCrashIsToldInOneLineThatATerminalCanShow() {
    try (Channel channel = Channel.create(1, 1, 0)) {
      long at = channel.memory().get(ValueLayout.JAVA_LONG, ChannelLayout.CRASH_OFFSET);
      channel.memory().setString(at, "a\nb\u001b[2J\u009b1mc\u202ed\u2028e");
      assertEquals("a b [2J 1mc d e", channel.crashText());
    }
  }

  @Test
  void theCodeOfACrashIsToldInLinesThatATerminalCanShow() {
    try (Channel channel = Channel.create(1, 1, 0)) {
      long at = channel.memory().get(ValueLayout.JAVA_LONG, ChannelLayout.CRASH_OFFSET);
      assertEquals(List.of(), channel.crashFrames());
      channel.memory().setString(at, "died\0" + "7f00 10 /a b\n\u001b[2J\n20\n");
      assertEquals("died", channel.crashText());
      assertEquals(List.of("7f00 10 /a b", "[2J", "20"), channel.crashFrames());
      channel.memory().setString(at, "\0" + "1\n".repeat(2000));
      assertEquals(ChannelLayout.CRASH_FRAMES, channel.crashFrames().size());
    }
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    try (Channel channel = Channel.create(1, 1, 0)) {
      MemorySegment request = MemorySegment.ofArray(new byte[ChannelLayout.CONTROL_BYTES + 8]);
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> channel.control().call(request, SECOND, () -> true));
      assertEquals("a request has at most 65536 bytes, not 65544", refused.getMessage());
      assertEquals(1, channel.control().nextSeq());
    }
  }

  @Property(tries = 200)
  void garbageInTheChannelNeverThrowsAndIsBounded(@ForAll long seed) {
    try (Channel channel = Channel.create(64, 1, 0)) {
      byte[] noise = new byte[(int) channel.memory().byteSize()];
      new Random(seed).nextBytes(noise);
      MemorySegment.copy(noise, 0, channel.memory(), ValueLayout.JAVA_BYTE, 0, noise.length);
      int drained = channel.completions().drain(100, (tag, s, a, b, c, d) -> {});
      assertTrue(drained <= 100);
      boolean ignored = channel.requests().offerSubmit(1, 1, 0, 64, 0);
      for (int index = 0; index < channel.started().entries(); index++) {
        long _ = channel.started().startNs(index);
      }
      assertTrue(channel.crashText().length() <= ChannelLayout.CRASH_BYTES);
      assertTrue(channel.crashFrames().size() <= ChannelLayout.CRASH_FRAMES);
      byte[] reply = channel.control().call(MemorySegment.ofArray(new byte[16]), 0, () -> true);
      assertTrue(reply.length <= ChannelLayout.CONTROL_BYTES);
    }
  }

  @Test
  void aCallGetsTheAnswerOfItsPeer() throws InterruptedException {
    try (Channel channel = Channel.create(1, 1, 0)) {
      MemorySegment memory = channel.memory();
      long to = memory.get(ValueLayout.JAVA_LONG, ChannelLayout.CONTROL_RESPONSE_OFFSET);
      Thread peer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!ValueLayout.JAVA_LONG
                        .varHandle()
                        .getAcquire(memory, ChannelLayout.CONTROL_SEQ)
                        .equals(1L)) {
                      Thread.onSpinWait();
                    }
                    memory.set(ValueLayout.JAVA_BYTE, to, (byte) 9);
                    memory.set(ValueLayout.JAVA_INT, ChannelLayout.REPLY_LENGTH, 1);
                    ValueLayout.JAVA_LONG
                        .varHandle()
                        .setRelease(memory, ChannelLayout.REPLY_SEQ, 1L);
                    new Doorbell(memory.asSlice(ChannelLayout.REPLY_BELL, 8), Arena.ofAuto())
                        .ring();
                  });
      byte[] reply =
          channel.control().call(MemorySegment.ofArray(new byte[16]), 60 * SECOND, () -> true);
      peer.join();
      assertArrayEquals(new byte[] {9}, reply);
      assertEquals(2, channel.control().nextSeq());
    }
  }

  @Test
  void aCallEndsWhenThePeerIsGoneOrSaysNonsense() {
    try (Channel channel = Channel.create(1, 1, 0)) {
      MemorySegment request = MemorySegment.ofArray(new byte[16]);
      assertEquals(0, channel.control().call(request, 60 * SECOND, () -> false).length);
      channel.memory().set(ValueLayout.JAVA_INT, ChannelLayout.REPLY_LENGTH, -5);
      channel.memory().set(ValueLayout.JAVA_LONG, ChannelLayout.REPLY_SEQ, 2);
      assertEquals(0, channel.control().call(request, 60 * SECOND, () -> true).length);
    }
  }
}
