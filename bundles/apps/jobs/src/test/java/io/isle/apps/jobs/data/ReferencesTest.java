package io.isle.apps.jobs.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReferencesTest {
  @Property(tries = 200)
  void sortingOrdersByKeyAndLosesNothing(
      @ForAll ElementType type, @ForAll @IntRange(min = 0, max = 300) int count, @ForAll long seed)
      throws Exception {
    byte[] bytes = new byte[count * type.bytes()];
    new Random(seed).nextBytes(bytes);
    MemorySegment given = MemorySegment.ofArray(bytes);
    HostArray sorted =
        References.compute(
            "sort", List.of(new HostArray(type, List.of((long) count), given)), Arena.ofAuto());
    long[] wanted = new long[count];
    for (int i = 0; i < count; i++) {
      wanted[i] = type.key(given, i) ^ Long.MIN_VALUE;
    }
    java.util.Arrays.sort(wanted);
    for (int i = 0; i < count; i++) {
      assertEquals(wanted[i], type.key(sorted.bytes(), i) ^ Long.MIN_VALUE);
    }
  }

  @Test
  void aCancelEndsALongOne() {
    HostArray long1 = HostArray.allocate(Arena.ofAuto(), ElementType.U8, List.of(3L << 20));
    for (String name : List.of("sort", "sum", "min", "max")) {
      Thread.currentThread().interrupt();
      assertThrows(
          InterruptedException.class,
          () -> References.compute(name, List.of(long1), Arena.ofAuto()),
          name);
    }
  }

  @Test
  void whatDoesNotFitIsNamed() {
    HostArray none = HostArray.allocate(Arena.ofAuto(), ElementType.F32, List.of(0L));
    assertMessage("sum", List.of(none), "sum needs at least one element");
    assertMessage("matmul", List.of(none), "matmul needs 2 inputs");
    assertMessage("matmul", List.of(none, none), "there are [0] and [0]");
    assertMessage("blur", List.of(none), "needs u8 [height, width, channels]; there is f32 [0]");
  }

  private static void assertMessage(String name, List<HostArray> inputs, String message) {
    FormatException e =
        assertThrows(FormatException.class, () -> References.compute(name, inputs, Arena.ofAuto()));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }
}
