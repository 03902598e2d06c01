package io.isle.lib.leap.banks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** The bank of the next frame before its frame, and full banks. */
class BankPrepareTest {
  private static final int BYTES = 1000;

  private final MemorySegment segment = BanksPropertyTest.empty();
  private final BankWriter writer = new BankWriter(segment, 1, 0);
  private final BankReader reader = new BankReader(segment, 0);

  private void fill() {
    segment.asSlice(0, BankLayout.STATES).fill((byte) 7);
  }

  private long changed() {
    long count = 0;
    for (long at = 0; at < BankLayout.STATES; at++) {
      count += segment.get(ValueLayout.JAVA_BYTE, at) == 7 ? 0 : 1;
    }
    return count;
  }

  @Test
  void onlyTheNextBankChangesBehindTheLinesThatAReaderAwaits() {
    fill();
    assertEquals(0, writer.publish(BYTES));
    writer.prepare(BankLayout.AWAITED_BYTES);
    assertEquals(0, changed());
    writer.prepare(BYTES);
    int lines = (BYTES - BankLayout.AWAITED_BYTES + BankLayout.LINE_BYTES - 1) / 64;
    assertEquals(8L * lines, changed());
    long from = BankLayout.offset(2);
    assertEquals(7, segment.get(ValueLayout.JAVA_BYTE, from + BankLayout.AWAITED_BYTES - 1));
    assertEquals(0, segment.get(ValueLayout.JAVA_BYTE, from + BankLayout.AWAITED_BYTES));
  }

  @Test
  void aBankThatTheReaderHasNotTakenStays() {
    for (int i = 0; i < BankLayout.BANKS; i++) {
      assertEquals(0, writer.publish(BYTES));
    }
    fill();
    writer.prepare(BYTES);
    assertEquals(0, changed());
  }

  @Test
  void aReaderKnowsThatAllBanksWereFull() {
    for (int i = 0; i < BankLayout.BANKS; i++) {
      assertEquals(0, writer.publish(BYTES));
    }
    assertEquals(0, reader.take());
    assertTrue(reader.wasFull());
    assertEquals(0, reader.take());
    assertFalse(reader.wasFull());
    assertEquals(0, writer.publish(BYTES));
    assertEquals(0, reader.take());
    assertFalse(reader.wasFull(), "one bank was free");
  }
}
