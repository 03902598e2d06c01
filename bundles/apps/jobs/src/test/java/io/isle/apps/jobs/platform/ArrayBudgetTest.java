package io.isle.apps.jobs.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayBudgetTest {
  @Test
  void theLimitIsTheJvms() {
    assertEquals(500, ArrayBudget.direct(List.of("-Xmx1g", "-ea"), 500));
    assertEquals(77, ArrayBudget.direct(List.of("-XX:MaxDirectMemorySize=77"), 500));
    assertEquals(500, ArrayBudget.direct(List.of("-XX:MaxDirectMemorySize=0"), 500));
    assertEquals(3L << 10, ArrayBudget.direct(List.of("-XX:MaxDirectMemorySize=3k"), 1));
    assertEquals(3L << 20, ArrayBudget.direct(List.of("-XX:MaxDirectMemorySize=3M"), 1));
    assertEquals(
        3L << 30,
        ArrayBudget.direct(List.of("-XX:MaxDirectMemorySize=9t", "-XX:MaxDirectMemorySize=3g"), 1));
    assertTrue(ArrayBudget.ofJvm().taken() == 0);
  }

  @Test
  void whatIsTooMuchIsRefusedWithTheLimit() {
    ArrayBudget budget = new ArrayBudget(100);
    JobArrays one = new JobArrays(budget);
    JobArrays other = new JobArrays(budget);
    MemorySegment sixty = one.open().allocate(60, 8);
    JobException refused = assertThrows(JobException.class, () -> other.open().allocate(41, 8));
    assertEquals(Errno.ENOMEM, refused.code());
    assertTrue(
        refused.getMessage().contains("41 bytes; arrays of all jobs take 60 of 100"),
        refused.getMessage());
    assertThrows(JobException.class, () -> other.open().allocate(Long.MAX_VALUE, 8));
    Arena forty = other.open();
    assertEquals(40, forty.allocate(40, 8).byteSize());
    assertEquals(100, budget.taken());
    forty.close();
    forty.close();
    assertEquals(60, budget.taken());
    one.close();
    one.close();
    other.close();
    assertFalse(sixty.scope().isAlive());
    assertEquals(0, budget.taken());
  }

  @Test
  void whatCannotBeMadeIsNotCounted() {
    ArrayBudget budget = new ArrayBudget(Long.MAX_VALUE);
    try (JobArrays arrays = new JobArrays(budget)) {
      assertThrows(OutOfMemoryError.class, () -> arrays.open().allocate(1L << 60, 8));
      assertThrows(IllegalArgumentException.class, () -> arrays.open().allocate(8, 3));
      assertEquals(0, budget.taken());
    }
  }
}
