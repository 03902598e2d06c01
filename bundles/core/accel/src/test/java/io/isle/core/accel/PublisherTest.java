package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import org.junit.jupiter.api.Test;

/** Who is woken first, and how many at a time. */
class PublisherTest {
  private static final int CONTEXTS = 8;
  private static final int URGENT = CONTEXTS - 1;
  private static final int DEPTH = 2;

  private final PointEndings endings = new PointEndings(CONTEXTS);
  private final Publisher publisher = new Publisher(endings);

  PublisherTest() {
    for (int c = 0; c < CONTEXTS; c++) {
      PointTimeline timeline = new PointTimeline(c + 1, null, DEPTH);
      endings.open(c, new ContextQueue(c + 1, timeline, 0, 256, DEPTH), c == URGENT);
      timeline.publish(DEPTH);
    }
  }

  private void end(int c, int waiters) {
    for (int i = 0; i < waiters; i++) {
      endings.queue(c).waiters.enter(1);
    }
    endings.record(c, 1, 0);
  }

  private int asleep(int c) {
    return endings.queue(c).waiters.size();
  }

  @Test
  void realtimeContextsComeFirst() {
    for (int c = 0; c < URGENT; c++) {
      end(c, 30);
    }
    end(URGENT, 3);
    assertEquals(CONTEXTS - 1, publisher.run());
    assertEquals(0, asleep(URGENT));
    int left = 0;
    for (int c = 0; c < CONTEXTS; c++) {
      assertEquals(1, endings.queue(c).timeline.recorded(), "all points are visible at once");
      left += asleep(c);
    }
    assertEquals(URGENT * 30 + 3 - Publisher.AT_ONCE, left);
  }

  @Test
  void allAreWokenInTheEndAndNoneOfOthersPoints() {
    for (int c = 0; c < URGENT; c++) {
      end(c, 30);
      endings.queue(c).waiters.enter(2);
    }
    int runs = 1;
    while (publisher.run() > 0) {
      runs++;
    }
    assertEquals((URGENT * 30 + Publisher.AT_ONCE - 1) / Publisher.AT_ONCE, runs);
    for (int c = 0; c < URGENT; c++) {
      assertEquals(1, asleep(c), "the one of the point that has not ended");
    }
    assertEquals(0, publisher.run());
  }

  @Test
  void ofOneContextOnlySomeAreWokenAtATime() {
    end(0, 3 * Publisher.OF_ONE - 1);
    end(1, 1);
    assertEquals(1, publisher.run());
    assertEquals(2 * Publisher.OF_ONE - 1, asleep(0));
    assertEquals(0, asleep(1));
    assertEquals(1, publisher.run());
    assertEquals(0, publisher.run());
    assertEquals(0, asleep(0));
  }

  @Test
  void aContextThatIsForgottenIsLeftToWhoeverSealsIt() {
    end(0, 30);
    assertEquals(1, publisher.run());
    ContextQueue queue = endings.queue(0);
    endings.close(0);
    assertEquals(0, publisher.run());
    queue.timeline.seal(-Errno.ECLOSED);
    queue.wakeAll();
    assertEquals(0, queue.waiters.size());
  }
}
