package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryKernelTest {
  private final MemorySegment umem = Arena.ofAuto().allocate(16 * 2048, 4096);
  private final MemoryKernel kernel = new MemoryKernel(Arena.ofAuto(), umem, 2048, 4, 4);
  private final KernelRing fill = new KernelRing(kernel.memory(), kernel.fill());
  private final KernelRing rx = new KernelRing(kernel.memory(), kernel.rx());
  private final KernelRing tx = new KernelRing(kernel.memory(), kernel.tx());
  private final KernelRing completion = new KernelRing(kernel.memory(), kernel.completion());
  private final MemorySegment frame = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5});

  private void give(int frames) {
    for (int i = 0; i < frames; i++) {
      fill.address(i, i * 2048L);
    }
    fill.publish(frames);
  }

  @Test
  void aReceivedFrameLiesBehindTheHeadroomOfItsFrame() {
    give(2);
    assertTrue(kernel.receive(frame, 1, 3));
    assertEquals(1, rx.available(1));
    assertEquals(256, rx.address(0));
    assertEquals(3, rx.length(0));
    assertEquals(4, umem.get(ValueLayout.JAVA_BYTE, 258));
  }

  @Test
  void framesAreLostWithoutFillAndWithoutRoom() {
    assertFalse(kernel.receive(frame, 0, 5));
    assertEquals(1, kernel.fillEmpty());
    give(6);
    for (int i = 0; i < 4; i++) {
      assertTrue(kernel.receive(frame, 0, 5));
    }
    assertFalse(kernel.receive(frame, 0, 5));
    assertEquals(1, kernel.rxFull());
    assertEquals(1, kernel.fillEmpty());
    assertEquals(2, fill.pending());
  }

  @Test
  void sentFramesAreCompletedInOrder() {
    for (int i = 0; i < 3; i++) {
      tx.descriptor(i, i * 2048L, 60 + i);
    }
    tx.publish(3);
    List<Integer> lengths = new ArrayList<>();
    assertEquals(2, kernel.send((memory, at, length) -> lengths.add(length), 2));
    assertEquals(List.of(60, 61), lengths);
    assertEquals(2, completion.available(4));
    assertEquals(2048, completion.address(1));
    assertEquals(1, tx.pending());
  }
}
