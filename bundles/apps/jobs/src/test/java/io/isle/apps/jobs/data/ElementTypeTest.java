package io.isle.apps.jobs.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ElementTypeTest {
  private final MemorySegment memory = MemorySegment.ofArray(new byte[24]);

  @Property
  void keysOrderAsValuesDo(@ForAll ElementType type, @ForAll long a, @ForAll long b) {
    type.setWhole(memory, 0, a);
    type.setWhole(memory, 1, b);
    double left = type.real(memory, 0);
    double right = type.real(memory, 1);
    int keys = Long.compareUnsigned(type.key(memory, 0), type.key(memory, 1));
    if (left < right) {
      assertTrue(keys < 0, left + " " + right);
    } else if (left > right) {
      assertTrue(keys > 0, left + " " + right);
    }
  }

  @Property
  void aKeyGivesItsElementBack(@ForAll ElementType type, @ForAll long bits) {
    type.setWhole(memory, 0, bits);
    type.setKey(memory, 1, type.key(memory, 0));
    assertEquals(type.whole(memory, 0), type.whole(memory, 1));
  }

  @Test
  void floatsAreOrderedAsTheTotalOrderSays() {
    float[] order = {Float.intBitsToFloat(0xffc00000), -1f / 0, -1, -0.0f, 0, 1, 1f / 0, Float.NaN};
    for (int i = 0; i + 1 < order.length; i++) {
      ElementType.F32.setWhole(memory, 0, Float.floatToRawIntBits(order[i]));
      ElementType.F32.setWhole(memory, 1, Float.floatToRawIntBits(order[i + 1]));
      assertTrue(
          Long.compareUnsigned(ElementType.F32.key(memory, 0), ElementType.F32.key(memory, 1)) < 0);
    }
  }

  @Test
  void largeUnsignedNumbersAreNotNegative() {
    ElementType.U64.setWhole(memory, 0, -1);
    assertEquals(0x1p64, ElementType.U64.real(memory, 0));
    assertEquals("18446744073709551615", ElementType.U64.show(memory, 0));
    ElementType.U32.setWhole(memory, 0, -1);
    assertEquals(4294967295.0, ElementType.U32.real(memory, 0));
  }

  @Test
  void shapesAreCountedWithoutOverflow() {
    assertEquals(0, Dims.elements(List.of(1L << 40, 1L << 40, 0L)));
    assertThrows(
        ArithmeticException.class, () -> Dims.elements(List.of(1L << 40, 1L << 40, 1L << 40)));
    assertEquals("[1, 0, 2]", Dims.position(List.of(2L, 3L, 4L), 14));
  }
}
