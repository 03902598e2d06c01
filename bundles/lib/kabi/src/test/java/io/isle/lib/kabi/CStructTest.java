package io.isle.lib.kabi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CStructTest {
  private static final CStruct TYPE =
      CStruct.named("t").u8("a").u32("b").text("c", 5).u64("d").u16("e").array("f", 8, 2).build();

  @Test
  void fieldsAreAlignedAsInC() {
    assertEquals(4, TYPE.offset("b"));
    assertEquals(8, TYPE.offset("c"));
    assertEquals(16, TYPE.offset("d"));
    assertEquals(24, TYPE.offset("e"));
    assertEquals(32, TYPE.offset("f"));
    assertEquals(48, TYPE.size());
  }

  @Property
  void scalarsComeBackCutToTheirWidth(@ForAll long value) {
    MemorySegment memory = MemorySegment.ofArray(new long[6]);
    TYPE.set(memory, "a", value);
    TYPE.set(memory, "b", value);
    TYPE.set(memory, "d", value);
    TYPE.set(memory, "e", value);
    assertEquals(value & 0xff, TYPE.get(memory, "a"));
    assertEquals(value & 0xffff_ffffL, TYPE.get(memory, "b"));
    assertEquals(value, TYPE.get(memory, "d"));
    assertEquals(value & 0xffff, TYPE.get(memory, "e"));
  }

  @Property
  void anyBytesReadAsTextWithoutControlCharacters(@ForAll @Size(48) byte[] bytes) {
    String text = TYPE.text(MemorySegment.ofArray(bytes), "c");
    assertEquals(0, text.chars().filter(Character::isISOControl).count());
  }

  @Test
  void textHasNothingThatATerminalActsOn() {
    MemorySegment memory = MemorySegment.ofArray(new long[6]);
    for (String bad : List.of("\u001b", "\u009b", "\u202e", "\u2028", "\u200b")) {
      TYPE.setText(memory, "c", bad + "a");
      assertEquals("?a", TYPE.text(memory, "c"));
    }
  }

  @Test
  void anArrayHasAnEnd() {
    MemorySegment memory = MemorySegment.ofArray(new long[] {0, 0, 0, 0, 7, 9});
    assertEquals(9, TYPE.at(memory, "f", 1));
    assertThrows(IndexOutOfBoundsException.class, () -> TYPE.at(memory, "f", 2));
    assertThrows(IndexOutOfBoundsException.class, () -> TYPE.at(memory, "f", -1));
  }

  @Test
  void textThatDoesNotFitNamesTheFieldAndItsSize() {
    MemorySegment memory = MemorySegment.ofArray(new long[6]);
    TYPE.setText(memory, "c", "1234");
    assertEquals("1234", TYPE.text(memory, "c"));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> TYPE.setText(memory, "c", "12345"));
    assertEquals("t.c holds 4 bytes, not 5", refused.getMessage());
  }
}
