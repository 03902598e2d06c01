package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.fence.Ringing;
import io.isle.core.accel.machine.PointEndings;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.PointTimeline;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who is woken first, and how many at a time. */
class PublisherTest {
  private static final int CONTEXTS = 12;

  /** The first one that is. */
  private static final int URGENT = 7;

  private static final int DEPTH = 2;

  private final PointEndings endings = new PointEndings(CONTEXTS);
  private final Publisher publisher = new Publisher(endings);
  private final long[] points = new long[CONTEXTS];

  PublisherTest() {
    for (int c = 0; c < CONTEXTS; c++) {
      PointTimeline timeline = new PointTimeline(c + 1, null, FenceOwner.NOBODY, DEPTH);
      endings.open(c, new ContextQueue(c + 1, timeline, 0, 256, DEPTH), c >= URGENT);
      timeline.publish(DEPTH);
    }
  }

  /** The next point of a context ends, for which so many threads wait. */
  private void end(int c, int waiters) {
    long point = ++points[c];
    endings.queue(c).timeline.publish(Math.max(point, DEPTH));
    for (int i = 0; i < waiters; i++) {
      endings.queue(c).waiters.enter(point);
    }
    endings.record(c, point, 0);
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
    assertEquals(URGENT, publisher.run());
    assertEquals(0, asleep(URGENT));
    int left = 0;
    for (int c = 0; c <= URGENT; c++) {
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
    queue.tellSealed();
    assertEquals(0, queue.waiters.size());
  }

  /** A crowd takes a turn of those who wake threads, and nothing of what is told besides. */
  @Test
  void whatEndsIsToldOfAtOnceHoweverManyThreadsOthersHave() {
    HostPoints host = new HostPoints(() -> 0, point -> {});
    ContextQueue signals = endings.queue(4);
    signals.setFences(1, Long.MAX_VALUE, host, 7);
    AtomicInteger rung = new AtomicInteger();
    signals.timeline.watch(bell(rung));
    crowds();
    end(4, 0);
    assertEquals(4, publisher.run());
    assertEquals(7, host.reached());
    assertEquals(1, rung.get());
    crowds();
    assertEquals(4, publisher.run());
    assertEquals(1, rung.get(), "once for each advance");
  }

  /** With slots that are taken again, a signal that is late would be one of another submission. */
  @Test
  void eachSubmissionSignalsItsOwnPointWhileOthersHaveCrowds() {
    ContextQueue signals = endings.queue(4);
    crowds();
    for (int point = 1; point <= 20 * DEPTH; point++) {
      HostPoints host = new HostPoints(() -> 0, p -> {});
      signals.setFences(point, Long.MAX_VALUE, host, point);
      signals.timeline.publish(point);
      endings.record(4, point, -Errno.EIO);
      assertTrue(publisher.run() >= 4);
      assertEquals(-Errno.EIO, host.status(point));
      crowds();
    }
  }

  @Test
  void aContextThatIsForgottenHasSignalledWhatEnded() {
    HostPoints first = new HostPoints(() -> 0, point -> {});
    HostPoints second = new HostPoints(() -> 0, point -> {});
    ContextQueue signals = endings.queue(4);
    signals.setFences(1, Long.MAX_VALUE, first, 1);
    signals.setFences(2, Long.MAX_VALUE, second, 1);
    crowds();
    end(4, 0);
    assertEquals(4, publisher.run());
    endings.close(4);
    signals.timeline.seal(-Errno.ECLOSED);
    signals.tellSealed();
    assertEquals(0, first.status(1));
    assertEquals(-Errno.ECLOSED, second.status(1));
  }

  @Test
  void crowdsDoNotKeepAnyoneElseWaiting() {
    end(4, 1);
    crowds();
    end(5, 1);
    assertTrue(publisher.run() > 0);
    crowds();
    assertTrue(publisher.run() > 0);
    assertEquals(0, asleep(4) + asleep(5));
  }

  @Test
  void crowdsThatAreRealtimeLeaveSomeForOthers() {
    for (int c = URGENT; c < CONTEXTS; c++) {
      end(c, 20);
    }
    end(0, 1);
    assertEquals(CONTEXTS - URGENT, publisher.run());
    assertEquals(0, asleep(0));
  }

  /** Four contexts have more threads to wake than one run wakes. */
  private void crowds() {
    for (int c = 0; c < 4; c++) {
      end(c, 20);
    }
  }

  private static Ringing bell(AtomicInteger rung) {
    return new Ringing() {
      @Override
      public void ring() {
        rung.incrementAndGet();
      }

      @Override
      public boolean isGone() {
        return false;
      }
    };
  }
}
