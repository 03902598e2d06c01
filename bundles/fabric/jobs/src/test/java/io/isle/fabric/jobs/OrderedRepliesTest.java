package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.drive.DrivePlan;
import io.isle.lib.drive.KeptPayloads;
import io.isle.lib.drive.Positions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderedRepliesTest {
  private static final int PAYLOAD = 8;
  private static final ValueLayout.OfInt LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final KeptPayloads kept =
      new KeptPayloads(new DrivePlan(new Positions(0, 100, 0), 0, 4, 1), PAYLOAD);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private long bytes = Long.MAX_VALUE;

  @AfterEach
  void close() {
    kept.close();
  }

  private OrderedReplies replies(long noReply, Optional<Mix> mix) {
    return new OrderedReplies(kept, PAYLOAD, noReply, () -> bytes, Optional.of(out), mix);
  }

  /** A reply whose payload has the bytes {@code value}. */
  private static void reply(OrderedReplies replies, long index, int value) throws IOException {
    MemorySegment packet = Arena.ofAuto().allocate(PAYLOAD + 1);
    packet.asSlice(1).fill((byte) value);
    replies.reply(index, packet, 1);
  }

  private static byte[] values(int... values) {
    byte[] all = new byte[values.length * PAYLOAD];
    for (int i = 0; i < values.length; i++) {
      Arrays.fill(all, i * PAYLOAD, (i + 1) * PAYLOAD, (byte) values[i]);
    }
    return all;
  }

  @Test
  void repliesAreWrittenInTheOrderOfTheirPackets() throws IOException {
    OrderedReplies replies = replies(2, Optional.empty());
    for (int index : new int[] {2, 4, 5, 3, 8, 7, 6, 9}) {
      reply(replies, index, index);
    }
    assertArrayEquals(values(2, 3, 4, 5, 6, 7, 8, 9), out.toByteArray());
  }

  @Test
  void neitherPaddingNorRepliesBehindTheStreamAreWritten() throws IOException {
    OrderedReplies replies = replies(0, Optional.empty());
    reply(replies, 0, 1);
    bytes = PAYLOAD + 3;
    reply(replies, 2, 3);
    reply(replies, 1, 2);
    reply(replies, 3, 4);
    assertArrayEquals(Arrays.copyOf(values(1, 2), PAYLOAD + 3), out.toByteArray());
  }

  @Test
  void repliesAreComparedWithTheLayersOfTheMoment() throws IOException {
    OrderedReplies replies = replies(0, Optional.of(new Mix(0, 1)));
    kept.memory().fill((byte) 0);
    int one = Integer.rotateLeft(0x9E3779B9, 1);
    int secondKey = 0x3C6EF372; // twice 0x9E3779B9, modulo 2^32
    int two = Integer.rotateLeft(one ^ secondKey, 2);
    MemorySegment packet = Arena.ofAuto().allocate(PAYLOAD);
    packet.set(LE, 0, one);
    packet.set(LE, Integer.BYTES, one);
    replies.reply(0, packet, 0);
    assertEquals(0, replies.wrong());
    replies.compute(new Mix(0, 2));
    replies.reply(1, packet, 0);
    assertEquals(1, replies.wrong());
    packet.set(LE, 0, two);
    packet.set(LE, Integer.BYTES, two);
    replies.reply(2, packet, 0);
    assertEquals(1, replies.wrong());
  }
}
