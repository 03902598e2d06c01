package io.isle.api.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CompletionStatusTest {
  @Test
  void theNumbersAreThoseOfTheFramework() {
    assertEquals(0, CompletionStatus.SUCCESS.code());
    assertEquals(1, CompletionStatus.ERROR.code());
    assertEquals(2, CompletionStatus.TIMEOUT.code());
    assertEquals(3, CompletionStatus.PREEMPTED.code());
    assertEquals(4, CompletionStatus.PARTIAL_ERROR.code());
    for (CompletionStatus status : CompletionStatus.values()) {
      assertEquals(status, CompletionStatus.of(status.code()));
    }
  }

  @Test
  void otherNumbersAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> CompletionStatus.of(-1));
    assertThrows(IllegalArgumentException.class, () -> CompletionStatus.of(5));
  }
}
