package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McacheTest {
  private final Frag frag = new Frag();

  @ParameterizedTest
  @CsvSource({"128, 0, 4352", "128, 1, 4480", "128, 129, 4608", "256, 0, 8448"})
  void footprintsAreThoseOfTheFormat(int depth, int app, long bytes) {
    assertEquals(bytes, Mcache.footprint(depth, app));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, 64, 127, 129, 192, 1 << 25, 1L << 62})
  void aDepthThatIsNoPowerOfTwoInItsLimitsIsRefused(long depth) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> Mcache.footprint(depth, 0)).getMessage();
    assertTrue(said.contains("depth") && said.contains("128..16777216"), said);
  }

  /** All bytes of a new mcache, as the format has them. */
  @Test
  void aNewMcacheIsTheSameToTheByte() {
    MemorySegment memory = Links.memory(Mcache.footprint(128, 1) + 128, 128);
    memory.fill((byte) 0x55);
    Mcache made = Mcache.create(memory, 128, 1, -3);
    MemorySegment wanted = Links.memory(memory.byteSize(), 128);
    wanted.set(Links.U64, 0, 0xF17EDA2C373CA540L);
    wanted.set(Links.U64, 8, 128);
    wanted.set(Links.U64, 16, 1);
    wanted.set(Links.U64, 24, -3);
    wanted.set(Links.U64, 32, 256 + 128 * 32);
    wanted.set(Links.U64, 128, -3);
    for (long seq = -3; seq != 125; seq++) {
      long line = 256 + 32 * (seq & 127);
      wanted.set(Links.U64, line, seq - 1);
      wanted.set(ValueLayout.JAVA_BYTE, line + 22, (byte) 7);
    }
    wanted.asSlice(Mcache.footprint(128, 1)).fill((byte) 0x55);
    assertEquals(-1, wanted.mismatch(memory));
    assertEquals(-3, Mcache.open(memory).seq0());
    assertEquals(1, made.app().byteSize());
    assertEquals(256 + 128 * 32, made.app().address() - memory.address());
  }

  @Test
  void aPublishedLineIsTheSameToTheByte() {
    Links link = new Links(128, 64, 0);
    link.mcache.publish(0, 0x1122334455667788L, 0xfedcba98L, 0xabcd, 0xef01, -2, 0x70000001);
    MemorySegment wanted = Links.memory(32, 32);
    wanted.set(Links.U64, 8, 0x1122334455667788L);
    wanted.set(Links.U64, 16, 0xef01abcdfedcba98L);
    wanted.set(Links.U64, 24, 0x70000001fffffffeL);
    assertEquals(-1, wanted.mismatch(link.lines.asSlice(256, 32)));
    assertEquals(0, link.mcache.read(0, frag));
    assertEquals(0xfedcba98L, frag.chunk());
    assertEquals(0xabcd, frag.size());
    assertEquals(0xef01, frag.ctl());
    assertEquals(-2, frag.tsorig());
    assertEquals(0x70000001, frag.tspub());
  }

  @Test
  void bitsOfControlAreThoseOfTheFormat() {
    assertEquals(3, Frag.ctl(0, true, true, false));
    assertEquals(4 | 0x1234 << 3, Frag.ctl(0x1234, false, false, true));
    assertEquals(0x1fff, Frag.origin(0xffff));
  }

  @Test
  void numbersGoRoundTheEnd() {
    Links link = new Links(128, 64, -2);
    LinkWriter writer = link.writer();
    assertEquals(-1, link.mcache.read(-2, frag));
    for (int i = 0; i < 4; i++) {
      Links.publish(writer, 8);
    }
    assertEquals(2, writer.seq());
    assertEquals(0, link.mcache.read(-1, frag));
    assertEquals(0, link.mcache.read(0, frag));
    assertTrue(link.mcache.read(2, frag) < 0);
    for (int i = 0; i < 128; i++) {
      Links.publish(writer, 8);
    }
    assertEquals(128, link.mcache.read(-1, frag));
  }

  @Test
  void aHeadThatNoProgramMakesIsRefusedWithItsField() {
    refused("magic of an mcache", 0, 1);
    refused("depth 127", 8, 127);
    refused("has 8448 bytes, and only 4352", 8, 256);
    refused("application region", 16, -1);
    refused("app_off 4224", 32, 4224);
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> Mcache.open(Links.memory(4352 + 64, 128).asSlice(64)))
            .getMessage();
    assertTrue(said.contains("multiple of 128"), said);
    assertThrows(
        IllegalArgumentException.class, () -> Mcache.create(Links.memory(4351, 128), 128, 0, 0));
    MemorySegment heap = MemorySegment.ofArray(new long[544]);
    said =
        assertThrows(IllegalArgumentException.class, () -> Mcache.create(heap, 128, 0, 0))
            .getMessage();
    assertTrue(said.contains("heap"), said);
  }

  private static void refused(String why, long offset, long value) {
    Links link = new Links(128, 64, 0);
    link.lines.set(Links.U64, offset, value);
    String said =
        assertThrows(IllegalArgumentException.class, () -> Mcache.open(link.lines)).getMessage();
    assertTrue(said.contains(why), said);
  }
}
