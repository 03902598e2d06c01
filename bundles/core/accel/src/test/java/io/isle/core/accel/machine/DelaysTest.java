package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DelaysTest {
  private final Delays delays = new Delays(4);

  @Test
  void eachEndsAtItsTime() {
    assertTrue(delays.add(1, 300));
    assertTrue(delays.add(2, 100));
    assertEquals(100, delays.next());
    assertEquals(-1, delays.takeDue(99));
    assertEquals(2, delays.takeDue(100));
    assertEquals(-1, delays.takeDue(100));
    assertEquals(300, delays.next());
    assertEquals(1, delays.takeDue(400));
    assertEquals(Long.MAX_VALUE, delays.next());
  }

  @Test
  void aFurtherOneMakesItLongerOnly() {
    assertTrue(delays.add(0, 300));
    assertFalse(delays.add(0, 200));
    assertEquals(-1, delays.takeDue(250));
    assertFalse(delays.add(0, 500));
    assertEquals(-1, delays.takeDue(400));
    assertEquals(0, delays.takeDue(500));
  }

  @Test
  void whoIsGoneIsNotDelayed() {
    assertTrue(delays.add(0, 300));
    delays.remove(0);
    assertEquals(-1, delays.takeDue(1000));
    assertTrue(delays.add(0, 2000));
  }

  @Test
  void aClockThatGoesBackDoesNotMakeItLonger() {
    assertTrue(delays.add(0, 1_000_300));
    assertEquals(-1, delays.takeDue(1_000_000));
    assertEquals(-1, delays.takeDue(500));
    assertEquals(-1, delays.takeDue(799));
    assertEquals(0, delays.takeDue(800));
  }
}
