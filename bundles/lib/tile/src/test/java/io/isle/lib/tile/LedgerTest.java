package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class LedgerTest {
  @Test
  void newMemoryIsFreeAndEachFrameHasItsOwnByte() {
    Ledger ledger = new Ledger(Arena.ofAuto().allocate(9), 8);
    assertEquals(8, ledger.count(Ledger.FREE));
    ledger.state(0, Ledger.FILL);
    ledger.state(7, Ledger.TX);
    assertEquals(6, ledger.count(Ledger.FREE));
    assertEquals(Ledger.FILL, ledger.state(0));
    assertEquals(Ledger.TX, ledger.state(7));
    assertEquals(1, ledger.count(Ledger.TX));
    assertArrayEquals(new byte[] {Ledger.FILL, 0, 0, 0, 0, 0, 0, Ledger.TX}, ledger.states());
    int[] frames = new int[8];
    assertEquals(6, ledger.list(Ledger.FREE, frames));
    assertArrayEquals(new int[] {6, 5, 4, 3, 2, 1, 0, 0}, frames);
  }

  @Test
  void memoryIsAsLargeAsTheUmem() {
    MemorySegment memory = Arena.ofAuto().allocate(8);
    assertThrows(IllegalArgumentException.class, () -> new Ledger(memory, 9));
    assertThrows(IllegalArgumentException.class, () -> new Ledger(memory, 0));
  }
}
