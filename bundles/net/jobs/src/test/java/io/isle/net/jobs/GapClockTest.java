package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GapClockTest {
  private final List<Event> events = new ArrayList<>();
  private final GapClock gaps = new GapClock(events);

  private void event(long beginNs, long endNs) {
    Event event = new Event("update", beginNs);
    if (endNs > 0) {
      event.end(endNs);
    }
    events.add(event);
  }

  @Test
  void onlyTheTimeWithADueReplyCounts() {
    gaps.sent(100);
    gaps.sent(105);
    gaps.replied(110, true);
    gaps.replied(130, false);
    gaps.sent(1000);
    gaps.replied(1005, false);
    assertEquals(20, gaps.longestNs());
  }

  @Test
  void aGapBelongsToTheEventsThatItTouches() {
    event(50, 60);
    event(120, 150);
    gaps.sent(100);
    gaps.replied(110, true);
    gaps.replied(140, true);
    gaps.replied(145, true);
    gaps.replied(160, true);
    event(170, 0);
    gaps.replied(200, true);
    gaps.replied(210, true);
    assertEquals(0, gaps.aroundNs(0));
    assertEquals(30, gaps.aroundNs(1));
    assertEquals(40, gaps.aroundNs(2), "an event that goes on");
    assertEquals(40, gaps.longestNs());
  }
}
