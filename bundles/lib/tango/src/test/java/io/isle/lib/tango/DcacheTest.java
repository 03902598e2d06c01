package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DcacheTest {
  @Test
  void footprintsAreThoseOfTheFormat() {
    assertEquals(4096, Dcache.footprint(0, 0));
    assertEquals(12288, Dcache.footprint(1, 1));
    assertEquals(8192, Dcache.footprint(4096, 0));
    assertEquals(1536 * (128 + 1 + 1), Dcache.dataBytes(1500, 128, 1));
    assertEquals(65536L * (1024 + 7 + 1), Dcache.dataBytes(65535, 1024, 7));
  }

  @Test
  void aNewDcacheIsTheSameToTheByte() {
    MemorySegment memory = Links.memory(12288, 4096);
    memory.fill((byte) 0x55);
    Dcache made = Dcache.create(memory, 100, 7);
    MemorySegment wanted = Links.memory(12288, 4096);
    wanted.set(Links.U64, 0, 0xF17EDA2C37DCA540L);
    wanted.set(Links.U64, 8, 100);
    wanted.set(Links.U64, 16, 7);
    wanted.set(Links.U64, 24, 8192);
    assertEquals(-1, wanted.mismatch(memory));
    assertEquals(100, made.data().byteSize());
    assertEquals(4096, made.data().address() - memory.address());
    assertEquals(8192, Dcache.open(memory).app().address() - memory.address());
  }

  @Test
  void aHeadThatNoProgramMakesIsRefusedWithItsField() {
    refused("magic of a dcache", 0, 1);
    refused("data region", 8, -1);
    refused("only 12288", 8, 1 << 20);
    refused("application region", 16, Long.MIN_VALUE);
    refused("app_off 0", 24, 0);
  }

  private static void refused(String why, long offset, long value) {
    MemorySegment memory = Links.memory(12288, 4096);
    Dcache ignored = Dcache.create(memory, 100, 7);
    memory.set(Links.U64, offset, value);
    says(why, () -> Dcache.open(memory));
  }

  private static void says(String why, Executable work) {
    String said = assertThrows(IllegalArgumentException.class, work).getMessage();
    assertTrue(said.contains(why), said);
  }

  @Test
  void placesAreThoseOfTheFormat() {
    MemorySegment memory = Links.memory(8192, 128);
    Chunks chunks = Chunks.of(memory, 4096, 1024, 200);
    assertEquals(64, chunks.chunk0());
    assertEquals(80, chunks.chunk1());
    assertEquals(76, chunks.wmark());
    assertEquals(66, chunks.next(64, 1));
    assertEquals(64, chunks.next(64, 0));
    assertEquals(76, chunks.next(74, 128));
    assertEquals(64, chunks.next(76, 129));
    assertTrue(chunks.contains(78, 128));
    assertFalse(chunks.contains(78, 129));
    assertFalse(chunks.contains(63, 1));
    assertTrue(chunks.contains(80, 0));
    assertFalse(chunks.contains(0xffff_ffffL, 65_535));
    assertEquals(4096 + 5, Chunks.offset(64, 0xff45));
    assertTrue(chunks.containsBytes(4096, 1024));
    assertFalse(chunks.containsBytes(4097, 1024));
    assertFalse(chunks.containsBytes(4095, 1));
  }

  /** Sizes in whole bytes of data: the end of the region is rounded down to a chunk. */
  @Test
  void aRegionThatEndsAmidAChunkHasOneChunkLess() {
    Chunks chunks = Chunks.of(Links.memory(8192, 128), 0, 1000, 128);
    assertEquals(15, chunks.chunk1());
    assertEquals(13, chunks.wmark());
  }

  @Test
  void placesThatDoNotFitAreRefusedWithTheLimit() {
    MemorySegment memory = Links.memory(8192, 128);
    says("mtu 0", () -> Chunks.of(memory, 0, 1024, 0));
    says("mtu 65536", () -> Chunks.of(memory, 0, 1024, 65_536));
    says("one payload", () -> Chunks.of(memory, 0, 255, 200));
    says("multiple of 64", () -> Chunks.of(memory, 32, 1024, 200));
    says("data region", () -> Chunks.of(memory, 4096, 4097, 200));
    says("burst 0", () -> Dcache.dataBytes(1, 128, 0));
    says("burst 65537", () -> Dcache.dataBytes(1, 128, 65_537));
    says(
        "too small for mtu 200 at depth 128",
        () -> Chunks.of(memory, 0, 8192, 200).requireRoom(128));
  }

  @Test
  void theMtuOfARegionIsThatOfItsMaker() {
    for (int mtu : new int[] {1, 128, 129, 1500, 65_535}) {
      int found = Chunks.largestMtu(Dcache.dataBytes(mtu, 256, 1), 256);
      assertEquals(Math.min(65_535, Chunks.slot(mtu)), found);
    }
    assertEquals(0, Chunks.largestMtu(128 * 129, 128));
  }
}
