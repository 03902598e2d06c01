package io.isle.core.accel.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;
import org.junit.jupiter.api.Test;

class MemoryLedgerTest {
  private final MemoryLedger ledger = new MemoryLedger();

  @Test
  void theTightestLimitOnTheWayUpHoldsAndSaysWhoseItIs() {
    ledger.apply(
        Trees.accel(
            Trees.group("outer", "memory.max", "10k"),
            Trees.group("inner", "parent", "outer", "memory.max", "1m"),
            Trees.group("other", "parent", "outer")));
    ledger.take("inner", "soft0", 6000);
    ledger.take("other", "soft1", 4000);
    TenancyException refusal =
        assertThrows(TenancyException.class, () -> ledger.take("inner", "soft1", 241));
    assertEquals(Errno.ENOMEM, refusal.code());
    assertEquals("outer", refusal.group());
    assertEquals(
        "memory.max: group outer: 241 bytes more would exceed the group's memory.max of 10240"
            + " (10000 are in use)",
        refusal.getMessage());
    assertEquals(6000, ledger.used("inner"));
    assertEquals(10_000, ledger.used("outer"));
    assertEquals(10_000, ledger.used("default"));
    ledger.take("inner", "soft1", 240);
    assertEquals(240, ledger.used("outer", "soft1", false) - 4000);
    assertEquals(0, ledger.used("outer", "soft1", true));
    ledger.give("other", "soft1", 4000);
    assertEquals(10_240, ledger.peak("outer"));
    assertEquals(6240, ledger.used("outer"));
  }

  @Test
  void aLimitBelowWhatIsInUseStopsOnlyWhatIsNew() {
    ledger.apply(Trees.accel(Trees.group("a")));
    ledger.take("a", "soft0", 5000);
    ledger.apply(Trees.accel(Trees.group("a", "memory.max", "1000")));
    assertEquals(5000, ledger.used("a"));
    assertThrows(TenancyException.class, () -> ledger.take("a", "soft0", 1));
    ledger.give("a", "soft0", 4500);
    ledger.take("a", "soft0", 500);
    assertEquals(5000, ledger.peak("a"));
  }

  @Test
  void aGroupThatNobodyMadeCountsAsTheRootUntilItIsMade() {
    ledger.take("late", "soft0", 700);
    assertEquals(700, ledger.used("default", "soft0", true));
    ledger.apply(Trees.accel(Trees.group("late", "memory.max", "800")));
    assertEquals(700, ledger.used("late"));
    assertEquals(0, ledger.used("default", "soft0", true));
    assertThrows(TenancyException.class, () -> ledger.take("late", "soft0", 101));
  }

  @Test
  void memoryMovesWithItsGroup() {
    ledger.apply(Trees.accel(Trees.group("a"), Trees.group("b"), Trees.group("c", "parent", "a")));
    ledger.take("c", "soft0", 100);
    ledger.apply(Trees.accel(Trees.group("a"), Trees.group("b"), Trees.group("c", "parent", "b")));
    assertEquals(0, ledger.used("a"));
    assertEquals(100, ledger.peak("a"));
    assertEquals(100, ledger.used("b"));
  }

  @Test
  void moreThanWasTakenIsNotGivenBack() {
    ledger.take("default", "soft0", 5);
    assertThrows(IllegalStateException.class, () -> ledger.give("default", "soft0", 6));
    assertThrows(IllegalStateException.class, () -> ledger.give("default", "soft1", 1));
    assertEquals(5, ledger.used("default"));
  }
}
