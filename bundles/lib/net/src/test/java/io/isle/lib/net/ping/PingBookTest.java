package io.isle.lib.net.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PingBookTest {
  private final PingBook book = new PingBook(3);

  @Test
  void theFirstRightAnswerCountsAndOthersAreRepeated() {
    book.sent(16, 100);
    book.sent(16, 200);
    book.sent(16, 300);
    book.answered(1, 250);
    book.answered(1, 260);
    book.answered(0, 400);
    assertEquals(300, book.rttNs(0));
    assertEquals(50, book.rttNs(1));
    assertEquals(-1, book.rttNs(2));
    assertEquals(new PingTally(3, 2, 1, 1, 0), book.tally());
    assertFalse(book.tally().isExact());
  }

  @Test
  void anAnswerBelongsToARequestOfItsNumberAndLength() {
    book.sent(16, 100);
    assertTrue(book.has(0, 16));
    assertFalse(book.has(0, 17));
    assertFalse(book.has(1, 16), "not sent");
    assertFalse(book.has(-1, 16));
  }

  @Test
  void oneAnswerForEachIsExact() {
    book.sent(16, 100);
    book.answered(0, 101);
    assertTrue(book.tally().isExact());
    book.wrong();
    assertFalse(book.tally().isExact());
    assertEquals(new PingTally(2, 2, 0, 0, 2), book.tally().plus(book.tally()));
  }

  @Test
  void moreRequestsThanSaidAreRefused() {
    for (int i = 0; i < 3; i++) {
      assertEquals(i, book.next());
      book.sent(16, 0);
    }
    assertThrows(IllegalStateException.class, book::next);
  }
}
