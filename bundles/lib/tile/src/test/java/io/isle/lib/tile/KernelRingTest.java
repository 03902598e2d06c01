package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Queue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KernelRingTest {
  private static final int SIZE = 8;
  private static final RingLayout ADDRESSES =
      new RingLayout(0, 64, 128, 192, SIZE, RingLayout.ADDRESS_BYTES);
  private static final RingLayout DESCRIPTORS =
      new RingLayout(0, 64, 128, 192, SIZE, RingLayout.DESCRIPTOR_BYTES);

  private static MemorySegment memory(RingLayout layout, int start) {
    MemorySegment memory = Arena.ofAuto().allocate(layout.bytes(), 8);
    memory.set(ValueLayout.JAVA_INT, layout.producer(), start);
    memory.set(ValueLayout.JAVA_INT, layout.consumer(), start);
    return memory;
  }

  /** Positive: so many more entries; negative: so many less. Across the wrap of the indices. */
  @Property(tries = 300)
  void bothSidesAgreeWithAQueue(
      @ForAll @Size(max = 60) int[] steps, @ForAll @IntRange(min = -20, max = 20) int start) {
    MemorySegment memory = memory(ADDRESSES, start);
    KernelRing writer = new KernelRing(memory, ADDRESSES);
    KernelRing reader = new KernelRing(memory, ADDRESSES);
    Queue<Long> model = new ArrayDeque<>();
    long next = 2048;
    for (int step : steps) {
      int count = Math.floorMod(step, SIZE + 1);
      if (step >= 0) {
        int free = writer.free(count);
        assertTrue(free >= Math.min(count, SIZE - model.size()));
        int taken = Math.min(count, free);
        for (int i = 0; i < taken; i++, next += 2048) {
          writer.address(i, next);
          model.add(next);
        }
        writer.publish(taken);
      } else {
        int taken = Math.min(count, reader.available(count));
        assertEquals(Math.min(count, model.size()), taken);
        for (int i = 0; i < taken; i++) {
          assertEquals(model.remove(), reader.address(i));
        }
        reader.release(taken);
      }
      assertEquals(model.size(), reader.pending());
      if (step % 7 == 0) {
        // the next tile begins where this one ended
        writer = new KernelRing(memory, ADDRESSES);
        reader = new KernelRing(memory, ADDRESSES);
      }
    }
  }

  @Test
  void aDescriptorHasAddressLengthAndNoOptions() {
    MemorySegment memory = memory(DESCRIPTORS, -1);
    KernelRing writer = new KernelRing(memory, DESCRIPTORS);
    KernelRing reader = new KernelRing(memory, DESCRIPTORS);
    memory.asSlice(DESCRIPTORS.entries()).fill((byte) 0x55);
    writer.descriptor(0, 0x1_0000_0800L, 60);
    writer.descriptor(1, 2048, 1514);
    writer.publish(2);

    assertEquals(2, reader.available(SIZE));
    assertEquals(0x1_0000_0800L, reader.address(0));
    assertEquals(60, reader.length(0));
    assertEquals(0, reader.options(0));
    assertEquals(1514, reader.length(1));
    assertEquals(2, writer.pending());
    assertEquals(1, writer.producerIndex());
  }

  @Test
  void theKernelsFlagAsksForAWakeUp() {
    MemorySegment memory = memory(ADDRESSES, 0);
    KernelRing ring = new KernelRing(memory, ADDRESSES);
    assertFalse(ring.needsWakeup());
    memory.set(ValueLayout.JAVA_INT, ADDRESSES.flags(), 1);
    assertTrue(ring.needsWakeup());
  }

  /** Words that no kernel writes; memory outside of the ring is not reached. */
  @Test
  void brokenIndicesStayInsideTheRing() {
    MemorySegment memory = memory(ADDRESSES, 0);
    memory.set(ValueLayout.JAVA_INT, ADDRESSES.producer(), 1 << 30);
    KernelRing reader = new KernelRing(memory, ADDRESSES);
    assertEquals(SIZE, reader.available(1));
    memory.set(ValueLayout.JAVA_INT, ADDRESSES.producer(), -5);
    assertEquals(0, new KernelRing(memory, ADDRESSES).available(1));
    assertEquals(SIZE, new KernelRing(memory, ADDRESSES).free(1));
    reader.address(Integer.MAX_VALUE);
  }

  @Test
  void wrongLayoutsAreNamed() {
    assertRefused("producer at 2", () -> new RingLayout(2, 64, 128, 192, 8, 8));
    assertRefused("consumer at -4", () -> new RingLayout(0, -4, 128, 192, 8, 8));
    assertRefused("entries at 196", () -> new RingLayout(0, 64, 128, 196, 8, 8));
    assertRefused("size 12", () -> new RingLayout(0, 64, 128, 192, 12, 8));
    assertRefused("size 0", () -> new RingLayout(0, 64, 128, 192, 0, 8));
    assertRefused("not 12", () -> new RingLayout(0, 64, 128, 192, 8, 12));
    MemorySegment small = MemorySegment.ofArray(new long[31]);
    assertRefused("needs 256 bytes", () -> new KernelRing(small, ADDRESSES));
  }

  private static void assertRefused(String part, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.contains(part), message);
  }
}
